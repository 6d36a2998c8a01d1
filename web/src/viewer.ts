// A mechanism with its motion on the page: keeps picture, lists and plots at the same instant and the same selection.
import * as THREE from 'three';
import { Bodies } from './bodies';
import type { Controls } from './controls';
import { find } from './dom';
import type { Health, Mechanism, RunArrays } from './data';
import { framingOf, type Framing } from './framing';
import { Overlays, type Layer } from './overlays';
import { kThemes, type Theme } from './palette';
import { Player } from './player';
import { Plots } from './plots';
import { Run } from './run';
import { Stage, type Sight } from './stage';
import { kLayerOfWord, LayerChips, Scale, showHealth } from './stage_notes';
import { Inspector, Tree } from './tree';

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
  /** How much of what the followed body moves up and down the camera does. */
  private upright = 1;
  private readonly followedAt = new THREE.Vector3();
  private clicked: { body: number; at: THREE.Vector3 } | undefined;
  private poses = new Float64Array(0);
  private framing: Framing | undefined;
  private readonly up = new THREE.Vector3(0, 0, 1);
  private thickness = 0.012;
  private hasContacts = false;
  private readonly chips = new LayerChips((name, on) => this.setLayer(name, on));
  private readonly scale = new Scale();
  private theme: Theme = kThemes.light;
  private readonly shown = new Map<string, boolean>();

  constructor(asked: ConstructorParameters<typeof Player>[2]) {
    this.player = new Player(this.run, () => this.stage.draw(), asked);
    this.stage.onDraw(() => this.update());
    this.showUsualLayers([]);
    this.pickTheme();
  }

  /** Shows another mechanism; without arrays, one whose motion will come. */
  load(mechanism: Mechanism, arrays?: RunArrays, health?: Health): void {
    this.clear();
    showHealth(health, document.querySelectorAll('#run .warnings li').length);
    find('description').textContent = mechanism.view?.description ?? '';
    this.showUsualLayers(mechanism.view?.hide ?? []);
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
    this.run.poses(this.player.time, this.poses);
    this.bodies.dispose();
    this.overlays!.dispose();
    this.mechanism = mechanism;
    this.bodies = new Bodies(mechanism, this.thickness, this.poses, hidden);
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
    if (this.run.frames % 50 === 1) this.overlays!.scaleTo(this.run);
    if (!this.hasContacts && this.run.hasContacts()) this.offerLayers();
    if (!this.player.held) this.player.time = t;
    this.player.show();
    this.stage.draw();
  }

  /** Looks at the whole motion, as far as it is known, from one side. */
  view(name: Sight): void {
    if (this.bodies && this.run.frames) {
      this.frameMotion();
      this.stage.setRoom(this.framing!.box.clone(), this.framing!.points);
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
    this.upright = 1;
    if (this.followed) this.followedAt.setFromMatrixPosition(this.bodies!.world[body]);
    this.stage.draw();
  }

  trace(body: number): void {
    if (!body || !this.overlays) return;
    const at = this.clicked?.body === body ? this.clicked.at : new THREE.Vector3(...this.mechanism!.bodies[body - 1].com);
    this.overlays.toggleTrace(body, at, this.bodies!.colorOf(body), this.run);
    this.inspector?.show(this.selected);
    this.offerLayers();
    this.stage.draw();
  }

  toggleLayer(name: string): void {
    this.setLayer(name, !this.shown.get(name));
  }

  setTheme(name: 'light' | 'dark'): void {
    this.theme = kThemes[name];
    document.documentElement.dataset.theme = name;
    this.stage.setTheme(this.theme);
    this.overlays?.setTheme(this.theme);
    this.bodies?.setAccent(this.theme.accent);
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
    this.up.set(...mechanism.gravity).negate();
    if (this.up.length() < 1e-9) this.up.set(0, 0, 1);
    this.up.normalize();
    this.run.poses(this.run.start, this.poses);
    const rough = new Bodies(mechanism, 0.01, this.poses);
    this.bodies = rough;
    this.frameMotion();
    rough.dispose();
    this.thickness = 0.012 * this.framing!.size;
    this.run.poses(this.run.start, this.poses);
    this.bodies = new Bodies(mechanism, this.thickness, this.poses);
    this.bodies.setAccent(this.theme.accent);
    this.frameMotion(); // with sticks as thick as they are
    this.draws(this.bodies);
    this.plots = new Plots(mechanism, this.run, this.theme, (t) => this.player.seek(t), (body) => this.select(body));
    this.stage.asked = mechanism.view?.from && new THREE.Vector3(...mechanism.view.from);
    const { box, points, size, follow, upright } = this.framing!;
    this.followed = follow;
    this.upright = upright ? 1 : 0;
    this.run.poses(this.player.time, this.poses);
    if (follow) this.followedAt.fromArray(this.poses, 7 * (follow - 1));
    this.stage.frame(box.clone(), points, size, this.up, mechanism.ground);
  }

  /** Finds out what the camera is to show. */
  private frameMotion(): void {
    const asked = this.mechanism!.view?.follow ?? (this.followed || 0);
    this.framing = framingOf(this.mechanism!, this.bodies!, this.run, this.poses, this.player.time, this.up, asked);
  }

  /** Puts bodies on the stage with what belongs to them: lines and marks, the list, what is known of one. */
  private draws(bodies: Bodies): void {
    const mechanism = this.mechanism!;
    this.overlays = new Overlays(mechanism, bodies, this.framing!.size, this.run, this.up, this.thickness);
    this.overlays.setTheme(this.theme);
    this.stage.scene.add(bodies.group, this.overlays.group);
    this.overlays.scaleTo(this.run);
    for (const [name, on] of this.shown) this.setLayer(name, on);
    this.offerLayers();
    this.tree = new Tree(mechanism, bodies, (body) => this.select(body), () => this.stage.draw());
    this.inspector = new Inspector(mechanism, [
      { label: 'Follow', hint: 'The camera goes with it (F)', pressed: (body) => this.followed === body, act: (body) => this.follow(body) },
      { label: 'Trace', hint: 'Draw the path of the point you clicked, or of its center of mass (T)', pressed: (body) => this.overlays!.hasTrace(body), act: (body) => this.trace(body) },
    ]);
  }

  /** Puts everything where it is at this instant; the stage calls it before it draws. */
  update(): void {
    if (!this.bodies || !this.run.frames) return;
    const t = this.player.time;
    this.run.poses(t, this.poses);
    this.bodies.move(this.poses);
    this.overlays!.update(this.run, t, this.selected);
    if (this.followed) {
      const now = new THREE.Vector3().setFromMatrixPosition(this.bodies.world[this.followed]);
      const moved = now.clone().sub(this.followedAt);
      // who goes along by himself does not bounce with every step
      moved.addScaledVector(this.up, (this.upright - 1) * moved.dot(this.up));
      this.stage.goAlong(moved);
      this.followedAt.copy(now);
    }
    this.showScale();
    this.plots!.update(t);
    this.inspector!.update(this.run, t);
    this.controls?.update(this.run, t);
  }

  /** The scale of the floor, and of the forces that are drawn. */
  private showScale(): void {
    const { floor } = this.stage;
    const arrows = this.shown.get('contacts') ? this.overlays!.arrows : undefined;
    const force = arrows?.drawn.length ? arrows.usual() : undefined;
    const pixels = force ? arrows!.lengthOf(force) * this.stage.pixelsPerMeter() : 0;
    this.scale.show(this.shown.get('grid') ? floor.cell : undefined, force ? { newtons: force, pixels } : undefined);
  }

  private showUsualLayers(hide: string[]): void {
    const hidden = hide.map((word) => kLayerOfWord[word]);
    for (const name of Object.values(kLayerOfWord)) this.setLayer(name, !hidden.includes(name));
  }
  private offerLayers(): void {
    this.hasContacts = this.run.hasContacts();
    const { shapes } = this.mechanism!;
    this.chips.offer((name) =>
      name === 'grid' || (name === 'collisions' ? shapes.some((shape) => shape.collide && !shape.visual) : this.overlays!.has(name, this.run)),
    );
  }
  private setLayer(name: string, on: boolean): void {
    this.shown.set(name, on);
    this.chips.set(name, on);
    if (name === 'grid') this.stage.showGrid(on);
    else if (name === 'collisions') this.bodies?.showCollisions(on);
    else this.overlays?.show(name as Layer, on);
    this.stage.draw();
  }
  charts(): ReturnType<Plots['charts']> {
    return this.plots?.charts() ?? [];
  }
  /** What is on the screen of the mechanism, for scripts. */
  framed(): Framing | undefined {
    return this.framing;
  }
  private pickTheme(): void {
    this.setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }
}
