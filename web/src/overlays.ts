// Draws what is not a body: frames, joint axes, centers of mass, loops, lines of force, arrows, traces, the pull.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import type { BodyPoint, Mechanism } from './data';
import { between, Instances, rodGeometry } from './instances';
import { kLineColors } from './palette';
import type { Run } from './run';

export type Layer = 'frames' | 'axes' | 'coms' | 'loops' | 'lines' | 'contacts' | 'traces';

/** A coil of unit length and radius along z. */
function coilGeometry(): THREE.BufferGeometry {
  const slender = 22; // length to radius as springs usually have it: there the wire is round
  class Coil extends THREE.Curve<THREE.Vector3> {
    public constructor() {
      super();
    }
    override getPoint(s: number, out = new THREE.Vector3()): THREE.Vector3 {
      const turns = 9;
      const straight = 0.08;
      const u = Math.min(1, Math.max(0, (s - straight) / (1 - 2 * straight)));
      const wide = s < straight ? s / straight : s > 1 - straight ? (1 - s) / straight : 1;
      const angle = 2 * Math.PI * turns * u;
      return out.set(wide * Math.cos(angle), wide * Math.sin(angle), slender * s);
    }
  }
  return new THREE.TubeGeometry(new Coil(), 280, 0.22, 7).scale(1, 1, 1 / slender);
}

/** Puts a line through the points of all frames, or of some where there are very many. */
function drawLine(line: THREE.Line, run: Run, point: (frame: number) => number[]): void {
  const every = Math.max(1, Math.floor(run.frames / 3000));
  const points: number[] = [];
  for (let frame = 0; frame < run.frames; frame += every) points.push(...point(frame));
  line.geometry.dispose();
  line.geometry = new THREE.BufferGeometry();
  line.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
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
  private readonly springs: Instances;
  private readonly cables: Instances;
  private arrows: { rods: Instances; heads: Instances; dots: Instances; capacity: number } | undefined;
  private readonly usualForce: number; // N, of contact: that of a body that lies on another
  private readonly pull: Instances;
  private readonly sets: Instances[] = [];
  private readonly axisList: { body: number; at: THREE.Vector3; direction: THREE.Vector3 }[] = [];
  private readonly paths: { line: THREE.Line; columns: number[]; frames: number }[] = [];
  private readonly traces = new Map<number, { line: THREE.Line; at: THREE.Vector3; frames: number }>();
  private largestTension = 1e-9;
  private pullEnds: { body: number; at: THREE.Vector3; target: THREE.Vector3 } | undefined;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly bodies: Bodies,
    private readonly size: number,
  ) {
    const layer = (): THREE.Group => {
      const group = new THREE.Group();
      this.group.add(group);
      return group;
    };
    this.layers = { frames: layer(), axes: layer(), coms: layer(), loops: layer(), lines: layer(), contacts: layer(), traces: layer() };
    const mass = mechanism.bodies.reduce((sum, body) => sum + body.mass, 0) / Math.max(1, mechanism.bodies.length);
    this.usualForce = Math.max(1e-9, mass * (Math.hypot(...mechanism.gravity) || 9.81));
    for (const [i, body] of mechanism.bodies.entries())
      for (const axis of body.joint.axes)
        this.axisList.push({ body: i + 1, at: new THREE.Vector3(...axis.at), direction: new THREE.Vector3(...axis.direction) });
    const rod = rodGeometry;
    const ball = new THREE.SphereGeometry(1, 16, 12);
    const springs = mechanism.lines.filter((line) => line.kind === 'spring').length;
    const segments = mechanism.lines.reduce((n, line) => n + (line.kind === 'spring' ? 0 : (line.traced?.[1] ?? line.points.length) - 1), 0);
    const solid = (): THREE.Material => new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0.3 });
    this.triads = this.add('frames', new Instances(rod(8), 3 * (mechanism.bodies.length + 1), onTop(0xffffff), false));
    this.axes = this.add('axes', new Instances(rod(8), this.axisList.length, onTop(0x00a5a5), false));
    this.coms = this.add('coms', new Instances(ball, mechanism.bodies.length, onTop(0xe6b800), false));
    this.loopEnds = this.add('loops', new Instances(ball.clone(), 2 * mechanism.loops.length, onTop(0xcc3399), false));
    this.springs = this.add('lines', new Instances(coilGeometry(), springs, solid()));
    this.cables = this.add('lines', new Instances(rod(), segments, solid()));
    this.pull = this.add('lines', new Instances(rod(8), 1, onTop(0xff8800), false));
    for (let i = 0; i < mechanism.bodies.length + 1; ++i)
      for (let k = 0; k < 3; ++k) this.triads.color(3 * i + k, kFrameColors[k]);
    for (const name of ['frames', 'axes', 'coms'] as Layer[]) this.show(name, false);
    this.addPaths();
  }

  dispose(): void {
    for (const set of this.sets) set.dispose();
    for (const { line } of [...this.traces.values(), ...this.paths]) line.geometry.dispose();
    this.group.removeFromParent();
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer].visible = on;
  }
  isShown(layer: Layer): boolean {
    return this.layers[layer].visible;
  }

  /** Colors of tensions are relative to the largest of the run. */
  scaleTensions(run: Run): void {
    this.largestTension = 1e-9;
    for (const line of this.mechanism.lines)
      for (const tension of run.column(line.tension)) this.largestTension = Math.max(this.largestTension, Math.abs(tension));
  }

  update(run: Run, t: number): void {
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
    this.mechanism.loops.forEach((loop, i) =>
      [loop.a, loop.b].forEach((end, k) => {
        const radius = (k ? 0.0055 : 0.0075) * this.size;
        this.loopEnds.set(2 * i + k, matrix.makeScale(radius, radius, radius).setPosition(this.point(end)));
      }),
    );
    this.updateLines(run, t, matrix);
    if (this.isShown('contacts')) this.updateContacts(run, t, matrix);
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
      const color = kLineColors[this.paths.length % kLineColors.length];
      this.paths.push({ line: this.addLine(color), columns: [k, k + 1, k + 2], frames: -1 });
    });
  }
  private addLine(color: string): THREE.Line {
    const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color }));
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

  private updateLines(run: Run, t: number, matrix: THREE.Matrix4): void {
    let spring = 0;
    let segment = 0;
    for (const line of this.mechanism.lines) {
      const share = Math.max(-1, Math.min(1, run.value(line.tension, t) / this.largestTension)) || 0;
      // grey at rest, red where it pulls, blue where it pushes
      const color = new THREE.Color('#b9c0c8').lerp(new THREE.Color(share > 0 ? '#e03131' : '#1c6fe0'), Math.abs(share));
      const [first, count] = line.traced ?? [0, 0];
      const points = line.traced
        ? Array.from({ length: count }, (_, k) => new THREE.Vector3(...run.tracedPoint(first + k, t)))
        : line.points.map((p) => this.point(p));
      if (line.kind === 'spring') {
        this.springs.set(spring, between(points[0], points[1], 0.018 * this.size, matrix));
        this.springs.color(spring++, color);
      } else
        for (let i = 1; i < points.length; ++i) {
          this.cables.set(segment, between(points[i - 1], points[i], (0.003 + 0.004 * Math.abs(share)) * this.size, matrix));
          this.cables.color(segment++, color);
        }
    }
  }

  /** Draws contact points as dots and forces on bodies as arrows, longer the stronger, at most a quarter of the picture. */
  private updateContacts(run: Run, t: number, matrix: THREE.Matrix4): void {
    const numbers = run.contacts(t);
    const count = numbers.length / 6;
    if (count > (this.arrows?.capacity ?? 0)) this.makeArrows(Math.max(16, 2 * count));
    if (!this.arrows) return;
    const { rods, heads, dots, capacity } = this.arrows;
    const dot = 0.006 * this.size;
    for (let i = 0; i < capacity; ++i) {
      if (i >= count) {
        for (const set of [rods, heads, dots]) set.hide(i);
        continue;
      }
      const at = (k: number): THREE.Vector3 => new THREE.Vector3(numbers[6 * i + k], numbers[6 * i + k + 1], numbers[6 * i + k + 2]);
      const from = at(0);
      const force = at(3);
      const strength = force.length() / this.usualForce;
      const length = (0.25 * this.size * strength) / (strength + 1);
      const head = Math.min(0.03 * this.size, 0.5 * length);
      const neck = from.clone().addScaledVector(force.normalize(), length - head);
      rods.set(i, between(from, neck, 0.0026 * this.size, matrix));
      heads.set(i, between(neck, from.clone().addScaledVector(force, length), 0.36 * head, matrix));
      dots.set(i, matrix.makeScale(dot, dot, dot).setPosition(from));
    }
  }
  private makeArrows(capacity: number): void {
    if (this.arrows)
      for (const set of [this.arrows.rods, this.arrows.heads, this.arrows.dots]) {
        this.sets.splice(this.sets.indexOf(set), 1);
        set.dispose();
      }
    const head = new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const set = (geometry: THREE.BufferGeometry): Instances => this.add('contacts', new Instances(geometry, capacity, onTop(0xd0342c), false));
    this.arrows = { rods: set(rodGeometry(8)), heads: set(head), dots: set(new THREE.SphereGeometry(1, 10, 8)), capacity };
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
