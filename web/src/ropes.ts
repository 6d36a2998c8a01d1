// Ropes: chains of line forces through mass points, drawn as one smooth line instead of many springs.
import type { LineInfo, Mechanism } from './data';

/** So many lines in a row are a rope. */
const kFewest = 3;

export interface Rope {
  /** Indices of its lines, in order. */
  lines: number[];
  /** Bodies that are nothing but points of it. */
  nodes: number[];
}

/** Whether a body is a mass point: it moves freely without turning and has no shape. */
function massPoints(mechanism: Mechanism): Set<number> {
  const shaped = new Set(mechanism.shapes.map((shape) => shape.body));
  const carries = new Set(mechanism.bodies.map((body) => body.parent));
  const out = new Set<number>();
  mechanism.bodies.forEach(({ joint }, i) => {
    if (joint.type === 'translational' && !shaped.has(i + 1) && !carries.has(i + 1)) out.add(i + 1);
  });
  return out;
}

/** Finds chains of straight lines of one kind, each beginning at the mass point where the last one ends. */
export function ropesOf(mechanism: Mechanism): Rope[] {
  const points = massPoints(mechanism);
  const straight = (line: LineInfo): boolean => line.points.length === 2 && !line.traced;
  const goesOn = (a: LineInfo, b: LineInfo): boolean =>
    a.kind === b.kind && straight(b) && a.points[1].body === b.points[0].body && points.has(b.points[0].body);
  const out: Rope[] = [];
  for (let i = 0; i < mechanism.lines.length; ) {
    const lines = [i];
    while (straight(mechanism.lines[i]) && i + 1 < mechanism.lines.length && goesOn(mechanism.lines[i], mechanism.lines[i + 1])) lines.push(++i);
    ++i;
    if (lines.length < kFewest) continue;
    const ends = lines.flatMap((k) => mechanism.lines[k].points.map((p) => p.body));
    out.push({ lines, nodes: [...new Set(ends)].filter((body) => points.has(body)) });
  }
  return out;
}
