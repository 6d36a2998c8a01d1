// Draws what is not a body: frames, joint axes, centers of mass, pins of loops, traces, the pull; and holds lines of
// force, contact arrows and anchors, which are drawn elsewhere.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { Anchors } from './anchors';
import { ContactArrows } from './arrows';
import type { Bodies } from './bodies';
import type { BodyPoint, Mechanism } from './data';
import { between, Instances, rodGeometry } from './instances';
import { ForceLines } from './lines';
import { kThemes, type Theme } from './palette';
import type { Run } from './run';

export type Layer = 'frames' | 'axes' | 'coms' | 'loops' | 'lines' | 'contacts' | 'traces' | 'anchors';

/** Puts a line through the points of all frames, or of some where there are very many. */
function drawLine(line: Line2, run: Run, point: (frame: number) => number[]): void {
  const every = Math.max(1, Math.floor(run.frames / 2000));
  const points: number[] = [];
  for (let frame = 0; frame < run.frames; frame += every) points.push(...point(frame));
  if (points.length < 6) return;
  line.geometry.dispose();
  line.geometry = new LineGeometry().setPositions(points);
  line.visible = true;
}

/** A material that is seen through bodies. */
const onTop = (color: number): THREE.Material => new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9 });

const kFrameColors = [new THREE.Color('#e0443e'), new THREE.Color('#2f9e44'), new THREE.Color('#3366dd')];

export class Overlays {
  readonly group = new THREE.Group();
  private readonly layers: Record<Layer, THREE.Group>;
  private readonly triads: Instances;
  private readonly axes: Instances;
  private readonly coms: Instances;
  private readonly loopEnds: Instances;
  private readonly pins: Instances;
  readonly lines: ForceLines;
  readonly arrows: ContactArrows;
  readonly anchors: Anchors;
  private readonly pull: Instances;
  private readonly sets: Instances[] = [];
  private readonly axisList: { body: number; at: THREE.Vector3; direction: THREE.Vector3 }[] = [];
  private readonly paths: { line: Line2; columns: number[]; frames: number }[] = [];
  private readonly traces = new Map<number, { line: Line2; at: THREE.Vector3; frames: number }>();
  private theme: Theme = kThemes.light;
  private pullEnds: { body: number; at: THREE.Vector3; target: THREE.Vector3 } | undefined;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly bodies: Bodies,
    private readonly size: number,
    run: Run,
    up: THREE.Vector3,
    thickness: number,
  ) {
    const layer = (): THREE.Group => {
      const group = new THREE.Group();
      this.group.add(group);
      return group;
    };
    this.layers = { frames: layer(), axes: layer(), coms: layer(), loops: layer(), lines: layer(), contacts: layer(), traces: layer(), anchors: layer() };
    for (const [i, body] of mechanism.bodies.entries())
      for (const axis of body.joint.axes)
        this.axisList.push({ body: i + 1, at: new THREE.Vector3(...axis.at), direction: new THREE.Vector3(...axis.direction) });
    const rod = rodGeometry;
    const ball = new THREE.SphereGeometry(1, 16, 12);
    this.triads = this.add('frames', new Instances(rod(8), 3 * (mechanism.bodies.length + 1), onTop(0xffffff), false));
    this.axes = this.add('axes', new Instances(rod(8), this.axisList.length, onTop(0x00a5a5), false));
    this.coms = this.add('coms', new Instances(ball, mechanism.bodies.length, onTop(0xe6b800), false));
    const metal = (): THREE.Material => new THREE.MeshStandardMaterial({ color: 0x5c6670, roughness: 0.4, metalness: 0 });
    const pinned = mechanism.loops.filter((loop) => loop.axis).length;
    this.loopEnds = this.add('loops', new Instances(ball.clone(), mechanism.loops.length - pinned, metal()));
    this.pins = this.add('loops', new Instances(rod(), pinned, metal()));
    this.lines = new ForceLines(mechanism, bodies, size);
    this.layers.lines.add(this.lines.group);
    this.arrows = new ContactArrows(size, up, mechanism);
    this.layers.contacts.add(this.arrows.group);
    this.anchors = new Anchors(mechanism, bodies, run, thickness, size, up);
    this.layers.anchors.add(this.anchors.group);
    this.pull = this.add('traces', new Instances(rod(8), 1, onTop(0x2a62e8), false));
    for (let i = 0; i < mechanism.bodies.length + 1; ++i)
      for (let k = 0; k < 3; ++k) this.triads.color(3 * i + k, kFrameColors[k]);
    for (const name of ['frames', 'axes', 'coms'] as Layer[]) this.show(name, false);
    this.addPaths();
  }

  dispose(): void {
    for (const set of this.sets) set.dispose();
    this.lines.dispose();
    this.arrows.dispose();
    this.anchors.dispose();
    for (const { line } of [...this.traces.values(), ...this.paths]) line.geometry.dispose();
    this.group.removeFromParent();
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer].visible = on;
  }
  isShown(layer: Layer): boolean {
    return this.layers[layer].visible;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.arrows.setColor(theme.force);
    this.anchors.setColor(theme.anchor);
    this.paths.forEach(({ line }, i) => line.material.color.set(theme.lines[i % theme.lines.length]));
  }

  /** Which layers have something to show. */
  has(layer: Layer, run: Run): boolean {
    const { mechanism } = this;
    if (layer === 'loops') return mechanism.loops.length > 0;
    if (layer === 'lines') return mechanism.lines.length > 0;
    if (layer === 'contacts') return run.hasContacts();
    if (layer === 'traces') return this.paths.length + this.traces.size > 0;
    if (layer === 'anchors') return this.anchors.count > 0;
    return layer !== 'axes' || this.axisList.length > 0;
  }

  /** Scales colors and arrows to the forces of the run. */
  scaleTo(run: Run): void {
    this.lines.scaleTensions(run);
    this.arrows.scaleTo(run);
  }

  update(run: Run, t: number, selected: number): void {
    const matrix = new THREE.Matrix4();
    if (this.isShown('frames')) this.updateFrames(matrix);
    if (this.isShown('axes'))
      this.axisList.forEach(({ body, at, direction }, i) => {
        const reach = 0.07 * this.size;
        const a = at.clone().addScaledVector(direction, -reach).applyMatrix4(this.bodies.world[body]);
        const b = at.clone().addScaledVector(direction, reach).applyMatrix4(this.bodies.world[body]);
        this.axes.set(i, between(a, b, 0.0025 * this.size, matrix));
      });
    if (this.isShown('coms'))
      this.mechanism.bodies.forEach((body, i) => {
        const at = new THREE.Vector3(...body.com).applyMatrix4(this.bodies.world[i + 1]);
        this.coms.set(i, matrix.makeScale(0.008 * this.size, 0.008 * this.size, 0.008 * this.size).setPosition(at));
      });
    this.updateLoops(matrix);
    if (this.isShown('lines')) this.lines.update(run, t, matrix);
    if (this.isShown('contacts')) this.arrows.update(run, t, selected);
    if (this.pullEnds) {
      const from = this.pullEnds.at.clone().applyMatrix4(this.bodies.world[this.pullEnds.body]);
      this.pull.set(0, between(from, this.pullEnds.target, 0.004 * this.size, matrix));
    } else this.pull.hide(0);
    for (const [body, trace] of this.traces) if (trace.frames !== run.frames) this.drawTrace(body, run);
    for (const path of this.paths)
      if (path.frames !== run.frames) {
        drawLine(path.line, run, (frame) => path.columns.map((k) => run.column(k)[frame]));
        path.frames = run.frames;
      }
    for (const set of this.sets) set.done();
  }

  /** Draws the line by which the user pulls at a point of a body, or takes it away. */
  setPull(ends: { body: number; at: THREE.Vector3; target: THREE.Vector3 } | undefined): void {
    this.pullEnds = ends;
  }

  /** Bodies whose paths are drawn, with the points that draw them. */
  traced(): [number, THREE.Vector3][] {
    return [...this.traces].map(([body, trace]) => [body, trace.at]);
  }
  hasTrace(body: number): boolean {
    return this.traces.has(body);
  }
  /** Draws the path of a point of a body, or takes it away. */
  toggleTrace(body: number, at: THREE.Vector3, color: string, run: Run): void {
    const known = this.traces.get(body);
    if (known) {
      known.line.removeFromParent();
      known.line.geometry.dispose();
      this.traces.delete(body);
      return;
    }
    this.traces.set(body, { line: this.addLine(color), at, frames: -1 });
    this.drawTrace(body, run);
  }

  private drawTrace(body: number, run: Run): void {
    const trace = this.traces.get(body)!;
    const turn = new THREE.Quaternion();
    drawLine(trace.line, run, (frame) => {
      const p = run.place(frame, body - 1);
      const point = trace.at.clone().applyQuaternion(turn.set(p[4], p[5], p[6], p[3]));
      return [p[0] + point.x, p[1] + point.y, p[2] + point.z];
    });
    trace.frames = run.frames;
  }

  /** Points whose positions the scene records are drawn as paths. */
  private addPaths(): void {
    const { columns } = this.mechanism;
    columns.forEach((column, k) => {
      const is = (i: number, end: string): boolean => columns[k + i]?.name === `${column.plot}.${end}` && columns[k + i].unit === 'm';
      if (column.kind !== 'record' || !is(0, 'x') || !is(1, 'y') || !is(2, 'z')) return;
      const color = this.theme.lines[this.paths.length % this.theme.lines.length];
      this.paths.push({ line: this.addLine(color), columns: [k, k + 1, k + 2], frames: -1 });
    });
  }
  private addLine(color: string): Line2 {
    const line = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: 2.5 }));
    line.visible = false;
    line.frustumCulled = false;
    this.layers.traces.add(line);
    return line;
  }

  private updateFrames(matrix: THREE.Matrix4): void {
    const length = 0.055 * this.size;
    this.bodies.world.forEach((world, i) => {
      const origin = new THREE.Vector3().setFromMatrixPosition(world);
      for (let k = 0; k < 3; ++k) {
        const tip = new THREE.Vector3().setFromMatrixColumn(world, k).multiplyScalar(length).add(origin);
        this.triads.set(3 * i + k, between(origin, tip, 0.0028 * this.size, matrix));
      }
    });
  }

  /** Draws loops as pins along their axes, others as balls, where body a has them. */
  private updateLoops(matrix: THREE.Matrix4): void {
    let pin = 0;
    let ball = 0;
    for (const loop of this.mechanism.loops) {
      const at = this.point(loop.a);
      const radius = 0.007 * this.size;
      if (!loop.axis) {
        this.loopEnds.set(ball++, matrix.makeScale(radius, radius, radius).setPosition(at));
        continue;
      }
      const along = new THREE.Vector3(...loop.axis).transformDirection(this.bodies.world[loop.a.body]).multiplyScalar(0.024 * this.size);
      this.pins.set(pin++, between(at.clone().sub(along), at.clone().add(along), radius, matrix));
    }
  }

  private point(p: BodyPoint): THREE.Vector3 {
    return new THREE.Vector3(...p.at).applyMatrix4(this.bodies.world[p.body]);
  }
  private add(layer: Layer, instances: Instances): Instances {
    if ((instances.mesh.material as THREE.MeshBasicMaterial).depthTest === false) instances.mesh.renderOrder = 5;
    this.sets.push(instances);
    this.layers[layer].add(instances.mesh);
    return instances;
  }
}
