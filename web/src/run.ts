// A motion: frames in order of time, of which a live run adds more and more.
import { numbersOf, type RunArrays } from './data';

/** Of a contact force: point, force, the body that it acts on. */
export const kContactNumbers = 7;

/** Numbers that grow at the end. */
class Growing {
  data: Float64Array;
  length = 0;
  constructor(start: ArrayLike<number> = []) {
    this.data = new Float64Array(Math.max(64, start.length));
    this.data.set(start);
    this.length = start.length;
  }
  push(more: ArrayLike<number>): void {
    if (this.length + more.length > this.data.length) {
      const larger = new Float64Array(Math.max(2 * this.data.length, this.length + more.length));
      larger.set(this.data.subarray(0, this.length));
      this.data = larger;
    }
    this.data.set(more, this.length);
    this.length += more.length;
  }
  dropFirst(count: number): void {
    this.data.copyWithin(0, count, this.length);
    this.length -= count;
  }
}

export class Run {
  private readonly t = new Growing();
  private readonly positions: Growing;
  private readonly rotations: Growing;
  private readonly columns: Growing[] = [];
  private readonly traced: Growing;
  private arrows: ArrayLike<number>[] = [];

  constructor(
    readonly bodies: number,
    columns: number,
    /** Points of lines that bend, in one frame. */
    readonly tracedPoints: number,
    arrays?: RunArrays,
  ) {
    this.traced = new Growing(arrays?.traced ? numbersOf(arrays.traced) : []);
    if (!arrays) {
      this.positions = new Growing();
      this.rotations = new Growing();
      for (let k = 0; k < columns; ++k) this.columns.push(new Growing());
      return;
    }
    this.t.push(numbersOf(arrays.times));
    this.positions = new Growing(numbersOf(arrays.positions));
    this.rotations = new Growing(numbersOf(arrays.rotations));
    const values = numbersOf(arrays.values);
    for (let k = 0; k < columns; ++k)
      this.columns.push(new Growing(values.subarray(k * arrays.frames, (k + 1) * arrays.frames)));
    if (!arrays.contacts) return;
    const all = numbersOf(arrays.contacts.arrows);
    let at = 0;
    for (const count of numbersOf(arrays.contacts.counts)) this.arrows.push(all.subarray(at, (at += kContactNumbers * count)));
  }

  get frames(): number {
    return this.t.length;
  }
  get times(): Float64Array {
    return this.t.data.subarray(0, this.t.length);
  }
  get start(): number {
    return this.frames ? this.t.data[0] : 0;
  }
  get end(): number {
    return this.frames ? this.t.data[this.frames - 1] : 0;
  }
  column(k: number): Float64Array {
    return this.columns[k].data.subarray(0, this.frames);
  }

  /**
   * Adds a frame behind the others; `poses` has seven numbers for each body, `rest` those of the columns, three for each
   * traced point, seven for each contact force.
   */
  add(t: number, poses: ArrayLike<number>, rest: Float64Array): void {
    const columns = this.columns.length;
    const values = rest.subarray(0, columns);
    this.traced.push(rest.subarray(columns, columns + 3 * this.tracedPoints));
    this.arrows.push(rest.slice(columns + 3 * this.tracedPoints));
    this.t.push([t]);
    for (let at = 0; at < 7 * this.bodies; at += 7) {
      this.positions.push([poses[at], poses[at + 1], poses[at + 2]]);
      this.rotations.push([poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]]);
    }
    this.columns.forEach((column, k) => column.push([values[k]]));
  }

  /** Forgets the last frame, which another will replace. */
  dropLast(): void {
    this.t.length -= 1;
    this.positions.length -= 3 * this.bodies;
    this.rotations.length -= 4 * this.bodies;
    for (const column of this.columns) column.length -= 1;
    this.traced.length -= 3 * this.tracedPoints;
    this.arrows.length -= 1;
  }

  /** Forgets the oldest frames, so that a page that stays open does not fill the memory. */
  keepLast(frames: number): void {
    const drop = this.frames - frames;
    if (drop <= 0) return;
    this.t.dropFirst(drop);
    this.positions.dropFirst(3 * this.bodies * drop);
    this.rotations.dropFirst(4 * this.bodies * drop);
    for (const column of this.columns) column.dropFirst(drop);
    this.traced.dropFirst(3 * this.tracedPoints * drop);
    this.arrows = this.arrows.slice(drop);
  }

  /** The last frame that is not after t. */
  frameAt(t: number): number {
    let low = 0;
    let high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t.data[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Frames before and after t, and how far t is from the one to the other. */
  private around(t: number): [number, number, number] {
    const i = this.frameAt(t);
    const j = Math.min(i + 1, this.frames - 1);
    const span = this.t.data[j] - this.t.data[i];
    return [i, j, span > 0 ? Math.min(1, Math.max(0, (t - this.t.data[i]) / span)) : 0];
  }

  /** Poses of all bodies at t, seven numbers each: straight between frames, turning at a constant rate. */
  poses(t: number, out: Float64Array): void {
    if (!this.frames) return;
    const [i, j, s] = this.around(t);
    const p = this.positions.data;
    for (let b = 0; b < this.bodies; ++b) {
      const pi = 3 * (i * this.bodies + b);
      const pj = 3 * (j * this.bodies + b);
      for (let k = 0; k < 3; ++k) out[7 * b + k] = p[pi + k] + s * (p[pj + k] - p[pi + k]);
      turnBetween(this.rotations.data, 4 * (i * this.bodies + b), 4 * (j * this.bodies + b), s, out, 7 * b + 3);
    }
  }

  /** The value of a column at t, straight between frames. */
  value(k: number, t: number): number {
    if (!this.frames) return NaN;
    return this.between(this.columns[k].data, t);
  }
  /** What numbers of all frames are at t, straight between frames. */
  between(x: ArrayLike<number>, t: number): number {
    const [i, j, s] = this.around(t);
    return s === 0 ? x[i] : x[i] + s * (x[j] - x[i]);
  }

  /** A traced point at t, straight between frames. */
  tracedPoint(k: number, t: number): [number, number, number] {
    const [i, j, s] = this.around(t);
    const at = (frame: number, c: number): number => this.traced.data[3 * (frame * this.tracedPoints + k) + c];
    return [0, 1, 2].map((c) => at(i, c) + s * (at(j, c) - at(i, c))) as [number, number, number];
  }

  /** Contact forces of the frame that t is in, kContactNumbers each. */
  contacts(t: number): ArrayLike<number> {
    return this.arrows[this.frameAt(t)] ?? [];
  }
  hasContacts(): boolean {
    return this.arrows.some((frame) => frame.length > 0);
  }

  /** Seven numbers: where a body is in a frame. */
  place(frame: number, body: number): number[] {
    const p = 3 * (frame * this.bodies + body);
    const r = 4 * (frame * this.bodies + body);
    return [...this.positions.data.subarray(p, p + 3), ...this.rotations.data.subarray(r, r + 4)];
  }
}

/** Spherical interpolation of quaternions that stand at i and j of r. */
function turnBetween(r: Float64Array, i: number, j: number, s: number, out: Float64Array, at: number): void {
  let cosine = 0;
  for (let k = 0; k < 4; ++k) cosine += r[i + k] * r[j + k];
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const a = sine > 1e-6 ? Math.sin((1 - s) * angle) / sine : 1 - s;
  const b = (cosine < 0 ? -1 : 1) * (sine > 1e-6 ? Math.sin(s * angle) / sine : s);
  for (let k = 0; k < 4; ++k) out[at + k] = s === 0 ? r[i + k] : a * r[i + k] + b * r[j + k];
}
