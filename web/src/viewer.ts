// A mechanism with its motion on the page: keeps picture, lists and plots at the same instant and the same selection.
import * as THREE from 'three';
import { Bodies } from './bodies';
import type { Controls } from './controls';
import { find, make } from './dom';
import type { Mechanism, RunArrays } from './data';
import { Overlays, type Layer } from './overlays';
import { kThemes, type Theme } from './palette';
import { Player } from './player';
import { Plots } from './plots';
import { Run } from './run';
import { Stage } from './stage';
import { Inspector, Tree } from './tree';

const kLayers: [Layer | 'grid' | 'collisions', string][] = [
  ['grid', 'ground'],
  ['axes', 'joint axes'],
  ['coms', 'mass centers'],
  ['frames', 'frames'],
  ['loops', 'loops'],
  ['lines', 'springs'],
  ['contacts', 'contacts'],
  ['traces', 'traces'],
  ['collisions', 'collision'],
];

/** How many points the lines that bend have together. */
function tracedPoints(mechanism: Mechanism): number {
  return mechanism.lines.reduce((n, line) => n + (line.traced?.[1] ?? 0), 0);
}

export class Viewer {
  readonly stage = new Stage(find<HTMLCanvasElement>('canvas'));
  player: Player;
  run = new Run(0, 0, 0);
  mechanism: Mechanism | undefined;
  bodies: Bodies | undefined;
  overlays: Overlays | undefined;
  controls: Controls | undefined;
  selected = 0;
  private plots: Plots | undefined;
  private tree: Tree | undefined;
  private inspector: Inspector | undefined;
  private followed = 0;
  private readonly followedAt = new THREE.Vector3();
  private clicked: { body: number; at: THREE.Vector3 } | undefined;
  private poses = new Float64Array(0);
  private size = 1;
  private thickness = 0.012;
  private theme: Theme = kThemes.light;
  private readonly shown = new Map<string, boolean>([['grid', true], ['loops', true], ['lines', true], ['contacts', true], ['traces', true]]);

  constructor(asked: ConstructorParameters<typeof Player>[2]) {
    this.player = new Player(this.run, () => this.stage.draw(), asked);
    this.stage.onDraw(() => this.update());
    this.addLayers();
    this.pickTheme();
  }

  /** Shows another mechanism; without arrays, one whose motion will come. */
  load(mechanism: Mechanism, arrays?: RunArrays): void {
    this.clear();
    this.mechanism = mechanism;
    this.run = new Run(mechanism.bodies.length, mechanism.columns.length, tracedPoints(mechanism), arrays);
    this.poses = new Float64Array(7 * mechanism.bodies.length);
    find('title').textContent = mechanism.name;
    document.title = `${mechanism.name} – Cardan`;
    if (arrays) this.build();
    this.player.setRun(this.run);
  }

  /**
   * Shows the same mechanism with other sizes: camera, selection, plots and the motion so far stay. False where it is
   * not the same, and is shown anew.
   */
  replace(mechanism: Mechanism): boolean {
    const old = this.mechanism;
    const names = (m: Mechanism): string => JSON.stringify([m.bodies.map((b) => [b.name, b.parent]), m.columns, m.lines.map((line) => line.traced ?? null)]);
    if (!old || !this.bodies || names(old) !== names(mechanism)) {
      this.load(mechanism);
      return false;
    }
    const traces = this.overlays!.traced();
    const { hidden } = this.bodies;
    this.bodies.dispose();
    this.overlays!.dispose();
    this.mechanism = mechanism;
    this.bodies = new Bodies(mechanism, this.thickness, hidden);
    this.draws(this.bodies);
    for (const [body, at] of traces) this.overlays!.toggleTrace(body, at, this.bodies.colorOf(body), this.run);
    this.select(this.selected, this.clicked?.at);
    return true;
  }

  /** Adds a frame of a live run and shows it; `rest` are the numbers of columns, bent lines and contacts. */
  addFrame(t: number, poses: Float64Array, rest: Float64Array): void {
    const kMost = 20_000;
    if (this.run.frames && t < this.run.end) this.run.keepLast(0); // it has begun again
    if (this.run.frames && t === this.run.end) this.run.dropLast(); // moved by hand
    this.run.add(t, poses, rest);
    if (this.run.frames > 1.2 * kMost) this.run.keepLast(kMost);
    if (!this.bodies) this.build();
    if (this.run.frames % 50 === 1) this.overlays!.scaleTensions(this.run);
    if (!this.player.held) this.player.time = t;
    this.player.show();
    this.stage.draw();
  }

  /** Looks at the whole motion, as far as it is known, from one side. */
  view(name: 'home' | 'front' | 'side' | 'top'): void {
    if (this.bodies && this.run.frames) {
      this.stage.setRoom(this.roomOf(this.bodies));
      this.update();
    }
    this.stage.view(name);
  }

  select(body: number, at?: THREE.Vector3): void {
    this.selected = body;
    this.clicked = at ? { body, at } : undefined;
    this.bodies?.select(body);
    this.inspector?.show(body);
    this.tree?.mark(body); // after the inspector, which takes room from the tree
    this.plots?.mark(body);
    this.stage.draw();
  }

  follow(body: number): void {
    this.followed = this.followed === body ? 0 : body;
    if (this.followed) this.followedAt.setFromMatrixPosition(this.bodies!.world[body]);
    this.stage.draw();
  }

  trace(body: number): void {
    if (!body || !this.overlays) return;
    const at = this.clicked?.body === body ? this.clicked.at : new THREE.Vector3(...this.mechanism!.bodies[body - 1].com);
    this.overlays.toggleTrace(body, at, this.bodies!.colorOf(body), this.run);
    this.inspector?.show(this.selected);
    this.stage.draw();
  }

  toggleLayer(name: string): void {
    this.setLayer(name, !this.shown.get(name));
  }

  setTheme(name: 'light' | 'dark'): void {
    this.theme = kThemes[name];
    document.documentElement.dataset.theme = name;
    this.stage.setTheme(this.theme);
    this.plots?.setTheme(this.theme);
  }
  toggleTheme(): void {
    this.setTheme(this.theme.name === 'light' ? 'dark' : 'light');
  }

  /** What the pointer is on. */
  pick(x: number, y: number): { body: number; point: THREE.Vector3 } | undefined {
    return this.bodies?.pick(this.rayAt(x, y));
  }
  rayAt(x: number, y: number): THREE.Raycaster {
    const box = this.stage.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.stage.camera);
    return ray;
  }

  private clear(): void {
    this.bodies?.dispose();
    this.overlays?.dispose();
    this.plots?.dispose();
    this.bodies = this.overlays = this.plots = this.tree = this.inspector = this.controls = undefined;
    this.followed = this.selected = 0;
  }

  /** Makes what draws; needs a first frame, for the size of things. */
  private build(): void {
    const mechanism = this.mechanism!;
    const up = new THREE.Vector3(...mechanism.gravity).negate();
    if (up.length() < 1e-9) up.set(0, 0, 1);
    let bodies = new Bodies(mechanism, 0.01);
    const box = this.roomOf(bodies);
    const size = Math.max(1e-3, box.getSize(new THREE.Vector3()).length());
    bodies.dispose();
    this.size = size;
    this.thickness = 0.012 * size;
    bodies = new Bodies(mechanism, this.thickness);
    this.bodies = bodies;
    this.draws(bodies);
    this.plots = new Plots(mechanism, this.run, this.theme, (t) => this.player.seek(t), (body) => this.select(body));
    this.stage.frame(box, up.normalize(), mechanism.ground);
  }

  /** Puts bodies on the stage with what belongs to them: lines and marks, the list, what is known of one. */
  private draws(bodies: Bodies): void {
    const mechanism = this.mechanism!;
    this.overlays = new Overlays(mechanism, bodies, this.size);
    this.stage.scene.add(bodies.group, this.overlays.group);
    this.overlays.scaleTensions(this.run);
    for (const [name, on] of this.shown) this.setLayer(name, on);
    this.tree = new Tree(mechanism, bodies, (body) => this.select(body), () => this.stage.draw());
    this.inspector = new Inspector(mechanism, [
      { label: 'Follow', hint: 'The camera goes with it (F)', pressed: (body) => this.followed === body, act: (body) => this.follow(body) },
      { label: 'Trace', hint: 'Draw the path of the point you clicked, or of its center of mass (T)', pressed: (body) => this.overlays!.hasTrace(body), act: (body) => this.trace(body) },
    ]);
  }

  /** How much room the motion takes, with a look at a few of its frames. */
  private roomOf(bodies: Bodies): THREE.Box3 {
    const box = new THREE.Box3();
    const looks = Math.min(60, this.run.frames);
    for (let i = 0; i < looks; ++i) {
      this.run.poses(this.run.times[Math.floor((i * (this.run.frames - 1)) / Math.max(1, looks - 1))], this.poses);
      bodies.move(this.poses);
      bodies.expand(box);
      for (const line of this.mechanism!.lines)
        for (const p of line.points) box.expandByPoint(new THREE.Vector3(...p.at).applyMatrix4(bodies.world[p.body]));
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    // what will move on is given some room to do so
    if (this.run.frames === 1) box.expandByScalar(0.12 * box.getSize(new THREE.Vector3()).length());
    return box;
  }

  private update(): void {
    if (!this.bodies || !this.run.frames) return;
    const t = this.player.time;
    this.run.poses(t, this.poses);
    this.bodies.move(this.poses);
    this.overlays!.update(this.run, t);
    if (this.followed) {
      const now = new THREE.Vector3().setFromMatrixPosition(this.bodies.world[this.followed]);
      const moved = now.clone().sub(this.followedAt);
      this.stage.camera.position.add(moved);
      this.stage.controls.target.add(moved);
      this.stage.camera.lookAt(this.stage.controls.target);
      this.followedAt.copy(now);
    }
    this.plots!.update(t);
    this.inspector!.update(this.run, t);
    this.controls?.update(this.run, t);
  }

  private addLayers(): void {
    const place = find('layers');
    for (const [name, label] of kLayers) {
      const box = make('input', { type: 'checkbox', id: `layer-${name}` });
      box.checked = this.shown.get(name) ?? false;
      box.onchange = () => this.setLayer(name, box.checked);
      place.append(make('label', {}, box, label));
    }
  }
  private setLayer(name: string, on: boolean): void {
    this.shown.set(name, on);
    find<HTMLInputElement>(`layer-${name}`).checked = on;
    if (name === 'grid') this.stage.showGrid(on);
    else if (name === 'collisions') this.bodies?.showCollisions(on);
    else this.overlays?.show(name as Layer, on);
    this.stage.draw();
  }
  private pickTheme(): void {
    this.setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }
}
