// Starts the page: from the data that stand in it, or from the server behind it.
import './style.css';
import * as THREE from 'three';
import { Connection, kLargestMessage } from './connection';
import { Controls } from './controls';
import { fileName, find, save } from './dom';
import { pageData } from './data';
import { kindOfFilm, makeFilm } from './film';
import { showHelp } from './help';
import { recordVideo, savePicture } from './record';
import { exposeForScripts } from './script';
import { work } from './studio';
import { Viewer } from './viewer';

const data = pageData();
let connection: Connection | undefined;
let livePlaying = false;

const viewer = new Viewer((what) => {
  if (!connection) return false;
  if (what === 'speed') connection.send({ do: 'speed', value: viewer.player.speed });
  else connection.send({ do: what });
  return true;
});

// --- what the page says to the user ---

function say(text: string, calm = false): void {
  const notice = find('notice');
  notice.textContent = text;
  notice.hidden = text === '';
  notice.classList.toggle('calm', calm);
}

find('move').addEventListener('input', () => say('')); // a notice of a slider is about where it was

function showTab(name: string): void {
  document.body.dataset.tab = name;
  for (const tab of document.querySelectorAll<HTMLElement>('#tabs [role="tab"]'))
    tab.setAttribute('aria-selected', String(tab.dataset.tab === name));
  viewer.stage.draw();
}

/** Of live pages: what can be changed, or the list of bodies. */
function showLeft(name: string): void {
  document.body.dataset.left = name;
  for (const tab of document.querySelectorAll<HTMLElement>('#left [role="tab"]'))
    tab.setAttribute('aria-selected', String(tab.dataset.left === name));
}

// --- a server behind the page ---

/** `still`: the motion waits for the user. */
function connect(still: boolean): void {
  const state = find('state');
  find<HTMLElement>('loop').closest('label')!.hidden = true;
  document.querySelector<HTMLElement>('#tabs [data-tab="move"]')!.hidden = false;
  find('left').hidden = false;
  document.body.classList.add('live');
  showLeft('move');
  if (window.matchMedia('(max-width: 860px)').matches) showTab('move');
  connection = new Connection({
    scene(mechanism, report) {
      say('');
      viewer.load(mechanism);
      find('run').innerHTML = report; // written by the server, which escapes every text in it
      viewer.controls = new Controls(mechanism, connection!, (body) => viewer.select(body));
      if (!still) connection!.send({ do: 'play' });
    },
    changed(mechanism, report) {
      find('run').innerHTML = report;
      if (viewer.replace(mechanism)) viewer.controls?.follow(mechanism);
      else viewer.controls = new Controls(mechanism, connection!, (body) => viewer.select(body));
    },
    parameter: (answer) => viewer.controls?.parameterAnswer(answer.name, answer.error),
    frame: (t, poses, rest) => viewer.addFrame(t, poses, rest),
    state(message) {
      livePlaying = message.playing;
      viewer.player.showPlaying(message.playing);
      viewer.player.held = false; // what was on its way has come
      state.textContent = message.playing ? 'live' : 'live, paused';
    },
    problem: (text) => say(text),
    formula: (answer) => viewer.controls?.answer(answer.body, answer.field, answer.column, answer.error),
    closed() {
      state.textContent = 'cardan view has ended';
      say('The command behind this page has ended; what was computed stays here to look at.', true);
      connection = undefined;
      viewer.player.showPlaying(false);
    },
  });
}

async function open(file: File): Promise<void> {
  if (!connection) return say('Files can be dropped on a page of `cardan view`; this one shows a finished run.');
  const text = await file.text();
  if (new Blob([text]).size > 0.9 * kLargestMessage) return say(`${file.name}: expected at most 0.9 MB, found ${(file.size / 1e6).toFixed(1)} MB`);
  connection.send({ do: 'open', name: file.name, text });
}

// --- pointer: select, and pull in a live page ---

const canvas = find<HTMLCanvasElement>('canvas');
let pressed: { x: number; y: number } | undefined;
let pulling: { plane: THREE.Plane; body: number; at: THREE.Vector3 } | undefined;

function beginPull(x: number, y: number): boolean {
  const hit = connection && viewer.pick(x, y);
  if (!hit || hit.body === 0) return false;
  const at = hit.point.clone().applyMatrix4(viewer.bodies!.world[hit.body].clone().invert());
  const towards = viewer.stage.camera.getWorldDirection(new THREE.Vector3());
  pulling = { plane: new THREE.Plane().setFromNormalAndCoplanarPoint(towards, hit.point), body: hit.body, at };
  viewer.select(hit.body, at);
  viewer.stage.controls.enabled = false;
  canvas.classList.add('pulling');
  connection!.send({ do: 'grab', body: hit.body, at: at.toArray(), target: hit.point.toArray() });
  return true;
}
function pullTo(x: number, y: number): void {
  const target = viewer.rayAt(x, y).ray.intersectPlane(pulling!.plane, new THREE.Vector3());
  if (!target) return;
  viewer.overlays!.setPull({ body: pulling!.body, at: pulling!.at, target });
  connection?.send({ do: 'pull', target: target.toArray() });
  viewer.stage.draw();
}
function endPull(): void {
  pulling = undefined;
  viewer.overlays?.setPull(undefined);
  viewer.stage.controls.enabled = true;
  canvas.classList.remove('pulling');
  connection?.send({ do: 'release' });
  viewer.stage.draw();
}

let pullMode = false;
// before the camera's own listeners, which must not see a pull
canvas.addEventListener('pointerdown', (event) => {
  pressed = { x: event.clientX, y: event.clientY };
  if ((event.shiftKey || pullMode) && event.button === 0 && beginPull(event.clientX, event.clientY)) {
    canvas.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
  }
}, { capture: true });
canvas.addEventListener('pointermove', (event) => {
  if (pulling) pullTo(event.clientX, event.clientY);
});
canvas.addEventListener('pointerup', (event) => {
  if (pulling) return endPull();
  if (!pressed || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 4) return;
  const hit = viewer.pick(event.clientX, event.clientY);
  const inverse = hit && viewer.bodies!.world[hit.body].clone().invert();
  viewer.select(hit?.body ?? 0, hit && hit.point.clone().applyMatrix4(inverse!));
});
canvas.addEventListener('pointercancel', () => pulling && endPull());

// --- buttons and keys ---

/** A live page is recorded as it is seen; a finished run is filmed frame by frame, however long that takes. */
function video(): void {
  const button = find<HTMLButtonElement>('video');
  if (button.getAttribute('aria-pressed') === 'true') {
    filming = false;
    return void recording?.stop();
  }
  const done = (blob: Blob, ending: string): void => {
    button.setAttribute('aria-pressed', 'false');
    button.textContent = 'Video';
    save(blob, fileName(viewer.mechanism?.name ?? 'cardan', ending));
  };
  button.setAttribute('aria-pressed', 'true');
  button.textContent = 'Stop';
  if (!data.live) return void film(button, done);
  recording = recordVideo(canvas, (blob) => done(blob, 'webm'));
  if (!recording) say('This browser cannot record WebM videos.');
}
let recording: ReturnType<typeof recordVideo>;
let filming = false;

async function film(button: HTMLElement, done: (blob: Blob, ending: string) => void): Promise<void> {
  const [width, height, fps] = [1920, 1080, 60];
  filming = true;
  try {
    const kind = await kindOfFilm(width, height, fps);
    if (!kind) throw new Error('This browser cannot encode films of 1920 x 1080.');
    const { start, end } = viewer.run;
    const order = { kind, width, height, fps, from: start, to: end, speed: viewer.player.speed };
    done(await makeFilm(viewer, order, (share) => ((button.textContent = `Stop (${Math.round(100 * share)} %)`), filming)), kind);
  } catch (error) {
    button.setAttribute('aria-pressed', 'false');
    button.textContent = 'Video';
    say(error instanceof Error ? error.message : String(error));
  }
}

const kActions: Record<string, () => void> = {
  ' ': () => viewer.player.toggle(),
  ArrowLeft: () => viewer.player.step(-1),
  ArrowRight: () => viewer.player.step(1),
  'Shift+ArrowLeft': () => viewer.player.step(-10),
  'Shift+ArrowRight': () => viewer.player.step(10),
  Home: () => viewer.player.seek(viewer.run.start),
  End: () => viewer.player.seek(viewer.run.end),
  '[': () => viewer.player.changeSpeed(-1),
  ']': () => viewer.player.changeSpeed(1),
  l: () => viewer.player.toggleLoop(),
  0: () => viewer.view('home'),
  1: () => viewer.view('front'),
  2: () => viewer.view('side'),
  3: () => viewer.view('top'),
  5: () => viewer.stage.setOrthographic(!viewer.stage.isOrthographic()),
  f: () => viewer.selected && viewer.follow(viewer.selected),
  t: () => viewer.trace(viewer.selected),
  g: () => viewer.toggleLayer('grid'),
  a: () => viewer.toggleLayer('axes'),
  c: () => viewer.toggleLayer('coms'),
  x: () => viewer.toggleLayer('frames'),
  '/': () => {
    showLeft('bodies');
    find('search').focus();
  },
  Escape: () => viewer.select(0),
  d: () => viewer.toggleTheme(),
  p: () => picture(),
  v: () => video(),
  h: () => showHelp(data.live === true),
  '?': () => showHelp(data.live === true),
};
function picture(): void {
  void savePicture(viewer.stage, viewer.mechanism?.name ?? 'cardan');
}

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  const typing = target.matches('textarea, input:not([type="range"]):not([type="checkbox"]), select') || find<HTMLDialogElement>('keys').open;
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches('button, input') && (event.key === ' ' || event.key.startsWith('Arrow'))) return;
  const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!kActions[name]) return;
  event.preventDefault();
  kActions[name]();
});
find('picture').onclick = picture;
find('video').onclick = video;
find('theme').onclick = () => viewer.toggleTheme();
find('help').onclick = () => showHelp(data.live === true);
for (const button of document.querySelectorAll<HTMLElement>('#views [data-view]'))
  button.onclick = () => viewer.view(button.dataset.view as 'home');
for (const tab of document.querySelectorAll<HTMLElement>('#left [role="tab"]')) tab.onclick = () => showLeft(tab.dataset.left!);
find('health').onclick = () => showTab('run');
for (const tab of document.querySelectorAll<HTMLElement>('#tabs [role="tab"]')) tab.onclick = () => showTab(tab.dataset.tab!);
find('notice').onclick = () => say('');

document.addEventListener('dragover', (event) => {
  event.preventDefault();
  find('drop').hidden = false;
});
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) find('drop').hidden = true;
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  find('drop').hidden = true;
  const file = event.dataTransfer?.files[0];
  if (file) void open(file);
});

// --- the address: #t=SECONDS draws that instant and stays there, &bare leaves only the picture ---

function followAddress(): boolean {
  const parts = new URLSearchParams(location.hash.slice(1));
  document.body.classList.toggle('bare', parts.has('bare'));
  if (!parts.has('t')) return false;
  viewer.player.seek(Number(parts.get('t')) || 0);
  viewer.stage.drawNow();
  return true;
}
window.addEventListener('hashchange', followAddress);

const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
showTab('plots');
if (data.live) {
  const pull = document.createElement('button');
  pull.textContent = 'Pull';
  pull.title = 'Drag pulls at bodies instead of turning the view (or hold Shift)';
  pull.setAttribute('aria-pressed', 'false');
  pull.onclick = () => {
    pullMode = !pullMode;
    pull.setAttribute('aria-pressed', String(pullMode));
  };
  find('views').prepend(pull);
  connect(followAddress() || calm);
} else if (data.mechanism) {
  viewer.load(data.mechanism, data.run, data.health);
  const still = followAddress() || calm || data.studio !== undefined;
  if (data.studio) work(viewer, data.studio);
  const { bodies } = data.mechanism;
  find('state').textContent = `${bodies.length} ${bodies.length === 1 ? 'body' : 'bodies'}, ${viewer.run.end.toPrecision(3)} s`;
  if (!still) viewer.player.setPlaying(true);
} else {
  say('This page holds no mechanism: `cardan simulate --report` and `cardan view` fill it.');
}

exposeForScripts(viewer, canvas, () => (connection ? livePlaying : viewer.player.playing));
