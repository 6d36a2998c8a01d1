// What the page knows of a mechanism and its run: the JSON that cardan/view/page_data.cpp writes.

import type { StudioOrder } from './studio';

export type Triple = [number, number, number];
/** Position, then quaternion (w, x, y, z). */
export type Place = [number, number, number, number, number, number, number];

/** A point of a body, in its frame; body 0 is the world. */
export interface BodyPoint {
  body: number;
  at: Triple;
}

export interface JointAxis {
  kind: 'turn' | 'slide';
  at: Triple;
  direction: Triple;
}

export interface JointInfo {
  name: string;
  type: string;
  q: number;
  nq: number;
  v: number;
  nv: number;
  units: string[];
  limits: [number | null, number | null][];
  /** Velocities are the rates of coordinates, so that each coordinate can be set alone. */
  flat: boolean;
  axes: JointAxis[];
}

export interface BodyInfo {
  name: string;
  /** The body that carries it, counted from 1; 0 is the world. */
  parent: number;
  mass: number;
  com: Triple;
  joint: JointInfo;
}

export interface ShapeInfo {
  body: number;
  kind: 'box' | 'sphere' | 'cylinder' | 'capsule' | 'ellipsoid' | 'torus' | 'mesh';
  size: number[];
  at: Place;
  color: string;
  visual: boolean;
  collide: boolean;
  mesh?: number;
  /** A surface that lines are wrapped over, drawn so that one sees through. */
  wrap?: boolean;
}

export interface MeshInfo {
  vertices: string;
  triangles: string;
}

/** A force along a line through points of bodies: springs, cables, muscles. */
export interface LineInfo {
  name: string;
  kind: string;
  points: BodyPoint[];
  /** The column with its tension. */
  tension: number;
  /** Where it bends over surfaces or its points move: the first of its points among the traced ones, and how many. */
  traced?: [number, number];
}

export interface LoopInfo {
  name: string;
  type: string;
  a: BodyPoint;
  b: BodyPoint;
  /** Of a pin, in the frame of body a. */
  axis?: Triple;
}

export interface ColumnInfo {
  name: string;
  unit: string;
  kind: 'q' | 'v' | 'energy' | 'record' | 'tension';
  plot: string;
  /** What the line is called in its plot. */
  label: string;
  body: number;
}

export interface FrameInfo {
  name: string;
  body: number;
  at: Place;
}

/** The text of an expression joint, where the page may change it. */
export interface FormulaInfo {
  body: number;
  coordinates: string[];
  parameters: [string, number][];
  let: [string, string][];
  transform: string;
}

/** A number of the scene's [parameters]. */
export interface ParameterInfo {
  name: string;
  value: number;
  /** What the file says where it follows from others. */
  text: string;
  /** The page has given it another value than the file. */
  set: boolean;
}

/** How the scene asks to be shown. */
export interface ViewInfo {
  /** Direction from the mechanism to the camera. */
  from?: Triple;
  /** The body that the camera goes with. */
  follow?: number;
  /** Records, joints, "energy", "tensions": what is plotted at first. */
  plots?: string[];
  /** Layers that are off at first. */
  hide?: string[];
  description?: string;
}

/** How well the run met its laws. */
export interface Health {
  said: string[];
  good: boolean;
}

export interface Mechanism {
  name: string;
  gravity: Triple;
  duration: number;
  /** The plane that fills all below: unit normal, and how far it is from the origin along it. */
  ground?: { normal: Triple; height: number };
  bodies: BodyInfo[];
  frames: FrameInfo[];
  shapes: ShapeInfo[];
  meshes: MeshInfo[];
  lines: LineInfo[];
  loops: LoopInfo[];
  columns: ColumnInfo[];
  view: ViewInfo;
  formulas?: FormulaInfo[];
  parameters?: ParameterInfo[];
  warnings?: string[];
}

export interface NumberArray {
  type: 'f4' | 'f8';
  data: string;
}

export interface RunArrays {
  frames: number;
  times: NumberArray;
  positions: NumberArray;
  rotations: NumberArray;
  /** Column after column. */
  values: NumberArray;
  /** Points of lines that bend, in the world, frame after frame. */
  traced?: NumberArray;
  /** Contact forces: how many in each frame, and seven numbers for each: point, force, the body that it acts on. */
  contacts?: { counts: NumberArray; arrows: NumberArray };
}

export interface PageData {
  format: number;
  mechanism?: Mechanism;
  run?: RunArrays;
  health?: Health;
  /** What a command wants to be drawn, where there is no user. */
  studio?: StudioOrder;
  /** A server is behind the page: it sends mechanism and motion. */
  live?: boolean;
}

export function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export function numbersOf(array: NumberArray): Float32Array | Float64Array {
  const bytes = bytesOf(array.data);
  return array.type === 'f4' ? new Float32Array(bytes) : new Float64Array(bytes);
}

/** Reads the data that stand in the page. */
export function pageData(): PageData {
  const text = document.getElementById('cardan-data')?.textContent ?? '';
  return text.startsWith('{') ? (JSON.parse(text) as PageData) : { format: 1 };
}
