// Draws what acts along lines: springs as coils, cables and muscles as cords, chains of mass points as ropes.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import type { LineInfo, Mechanism } from './data';
import { between, Instances, rodGeometry } from './instances';
import { ropesOf, type Rope } from './ropes';
import type { Run } from './run';

/** Pieces of a rope between two of its points. */
const kPieces = 4;

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

/** Points of a smooth line through these (Catmull-Rom). */
function smooth(points: THREE.Vector3[]): THREE.Vector3[] {
  const at = (i: number): THREE.Vector3 => points[Math.min(points.length - 1, Math.max(0, i))];
  const out = [points[0]];
  for (let i = 0; i + 1 < points.length; ++i)
    for (let k = 1; k <= kPieces; ++k) {
      const s = k / kPieces;
      const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
      const mix = (c: 'x' | 'y' | 'z'): number =>
        p1[c] + 0.5 * s * (p2[c] - p0[c] + s * (2 * p0[c] - 5 * p1[c] + 4 * p2[c] - p3[c] + s * (3 * (p1[c] - p2[c]) + p3[c] - p0[c])));
      out.push(new THREE.Vector3(mix('x'), mix('y'), mix('z')));
    }
  return out;
}

export class ForceLines {
  readonly group = new THREE.Group();
  private readonly springs: Instances;
  private readonly cords: Instances;
  private readonly ropes: Rope[];
  private readonly inRope: Set<number>;
  private largestTension = 1e-9;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly bodies: Bodies,
    private readonly size: number,
  ) {
    const { lines } = mechanism;
    this.ropes = ropesOf(mechanism);
    this.inRope = new Set(this.ropes.flatMap((rope) => rope.lines));
    const alone = lines.filter((_, i) => !this.inRope.has(i));
    const segments = alone.reduce((n, line) => n + (line.kind === 'spring' ? 0 : (line.traced?.[1] ?? line.points.length) - 1), 0);
    const solid = (): THREE.Material => new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0 });
    this.springs = new Instances(coilGeometry(), alone.filter((line) => line.kind === 'spring').length, solid());
    this.cords = new Instances(rodGeometry(10), segments + kPieces * this.inRope.size, solid());
    this.group.add(this.springs.mesh, this.cords.mesh);
  }

  dispose(): void {
    this.springs.dispose();
    this.cords.dispose();
  }

  /** Colors of tensions are relative to the largest of the run. */
  scaleTensions(run: Run): void {
    this.largestTension = 1e-9;
    for (const line of this.mechanism.lines)
      for (const tension of run.column(line.tension)) this.largestTension = Math.max(this.largestTension, Math.abs(tension));
  }

  update(run: Run, t: number, matrix: THREE.Matrix4): void {
    let spring = 0;
    let segment = 0;
    const draw = (a: THREE.Vector3, b: THREE.Vector3, thick: number, color: THREE.Color): void => {
      this.cords.set(segment, between(a, b, thick, matrix));
      this.cords.color(segment++, color);
    };
    this.mechanism.lines.forEach((line, k) => {
      if (this.inRope.has(k)) return;
      const share = this.shareOf(line, run, t);
      const points = this.pointsOf(line, run, t);
      if (line.kind === 'spring') {
        const wide = Math.min(0.018 * this.size, 0.1 * points[0].distanceTo(points[1]));
        this.springs.set(spring, between(points[0], points[1], wide, matrix));
        this.springs.color(spring++, colorOf(share));
      } else for (let i = 1; i < points.length; ++i) draw(points[i - 1], points[i], (0.0022 + 0.003 * Math.abs(share)) * this.size, colorOf(share));
    });
    for (const rope of this.ropes) {
      const ends = rope.lines.map((k) => this.mechanism.lines[k]);
      const points = smooth([this.point(ends[0].points[0]), ...ends.map((line) => this.point(line.points[1]))]);
      ends.forEach((line, i) => {
        const color = colorOf(this.shareOf(line, run, t));
        for (let k = 0; k < kPieces; ++k) draw(points[kPieces * i + k], points[kPieces * i + k + 1], 0.0034 * this.size, color);
      });
    }
    this.springs.done();
    this.cords.done();
  }

  /** Its force by the largest of all: from -1, where it pushes, to 1. */
  private shareOf(line: LineInfo, run: Run, t: number): number {
    return Math.max(-1, Math.min(1, run.value(line.tension, t) / this.largestTension)) || 0;
  }
  private pointsOf(line: LineInfo, run: Run, t: number): THREE.Vector3[] {
    if (!line.traced) return line.points.map((p) => this.point(p));
    const [first, count] = line.traced;
    return Array.from({ length: count }, (_, k) => new THREE.Vector3(...run.tracedPoint(first + k, t)));
  }
  private point(p: LineInfo['points'][number]): THREE.Vector3 {
    return new THREE.Vector3(...p.at).applyMatrix4(this.bodies.world[p.body]);
  }
}

/** Grey at rest, red where it pulls, blue where it pushes. */
function colorOf(share: number): THREE.Color {
  return new THREE.Color('#a9b1ba').lerp(new THREE.Color(share > 0 ? '#e03131' : '#1c6fe0'), Math.abs(share));
}
