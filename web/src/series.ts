// Which plots there are, and in which order: what the scene asks for, then records, energy, tensions, coordinates.
import * as THREE from 'three';
import type { ColumnInfo, Mechanism } from './data';
import type { Run } from './run';

/** As many lines as one plot can keep apart. */
const kMostLines = 8;
/** So many plots are open at first. */
export const kFirst = 6;

/** One line of a plot. */
export interface Series {
  /** As the CSV calls it. */
  name: string;
  label: string;
  unit: string;
  body: number;
  values(run: Run): ArrayLike<number>;
  at(run: Run, t: number): number;
}
export interface PlotInfo {
  title: string;
  unit: string;
  kind: ColumnInfo['kind'];
  series: Series[];
  /** The body that all of it belongs to; 0: several, or none. */
  body: number;
}

function seriesOf(column: ColumnInfo, k: number): Series {
  const { name, label, unit, body } = column;
  return { name, label, unit, body, values: (run) => run.column(k), at: (run, t) => run.value(k, t) };
}

/** Joints of one coordinate share a plot for each unit, which says what they are. */
function titleOf({ plot, unit, kind }: ColumnInfo): string {
  if (kind === 'q' && plot === 'Coordinates') return unit === 'rad' ? 'Angles' : unit === 'm' ? 'Displacements' : plot;
  if (kind === 'v' && plot === 'Velocities') return unit === 'rad/s' ? 'Angular velocities' : plot;
  return plot;
}

/** How a body is turned, as two angles: how far its upright axis leans, and how far it has turned about the vertical. */
function orientation(mechanism: Mechanism, body: number): Series[] {
  const up = new THREE.Vector3(...mechanism.gravity).negate();
  if (up.length() < 1e-9) up.set(0, 0, 1);
  up.normalize();
  const cache = { frames: -1, first: NaN, tilt: new Float64Array(0), heading: new Float64Array(0) };
  const made = (run: Run): typeof cache => {
    if (cache.frames === run.frames && cache.first === run.start) return cache;
    const [tilt, heading] = [new Float64Array(run.frames), new Float64Array(run.frames)];
    const start = turnOf(run, 0, body).invert();
    for (let i = 0; i < run.frames; ++i) {
      const turn = turnOf(run, i, body).multiply(start);
      tilt[i] = THREE.MathUtils.radToDeg(up.clone().applyQuaternion(turn).angleTo(up));
      const about = turn.x * up.x + turn.y * up.y + turn.z * up.z;
      const angle = THREE.MathUtils.radToDeg(2 * Math.atan2(about, turn.w));
      const before = i ? heading[i - 1] : 0;
      heading[i] = angle - 360 * Math.round((angle - before) / 360);
    }
    return Object.assign(cache, { frames: run.frames, first: run.start, tilt, heading });
  };
  const one = (label: 'tilt' | 'heading'): Series => ({
    name: `${label} of ${mechanism.bodies[body - 1].name} since the start`,
    label,
    unit: 'deg',
    body,
    values: (run) => made(run)[label],
    at: (run, t) => run.between(made(run)[label], t),
  });
  return [one('tilt'), one('heading')];
}
function turnOf(run: Run, frame: number, body: number): THREE.Quaternion {
  const p = run.place(frame, body - 1);
  return new THREE.Quaternion(p[4], p[5], p[6], p[3]);
}

const kOrder: ColumnInfo['kind'][] = ['record', 'energy', 'tension', 'q', 'v'];

/** Puts lines into plots of at most kMostLines, those of a body not torn apart. */
function split(title: string, kind: ColumnInfo['kind'], series: Series[]): PlotInfo[] {
  const parts: Series[][] = [];
  for (let i = 0; i < series.length; ) {
    const { body } = series[i];
    let end = i + 1;
    while (body !== 0 && end < series.length && series[end].body === body) ++end;
    const last = parts.at(-1);
    if (last && last.length + end - i <= kMostLines) last.push(...series.slice(i, end));
    else parts.push(series.slice(i, end));
    i = end;
  }
  return parts.map((part, i) => ({
    title: parts.length > 1 ? `${title} (${i + 1} of ${parts.length})` : title,
    unit: [...new Set(part.map((s) => s.unit).filter((unit) => unit !== ''))].join(', '),
    kind,
    series: part,
    body: part.every((s) => s.body === part[0].body) ? part[0].body : 0,
  }));
}

/** How much a plot is worth at first; the least first. */
function rankOf(plot: PlotInfo, run: Run): number {
  const kind = kOrder.indexOf(plot.kind);
  const flat = plot.series.every((s) => {
    const values = s.values(run);
    return values.length > 1 && Array.prototype.every.call(values, (x: number) => Math.abs(x - values[0]) <= 1e-9 * Math.max(1, Math.abs(values[0])));
  });
  return kind + (plot.unit === 'quaternion' ? 10 : 0) + (flat && kind > 0 ? 5 : 0);
}

/** Whether a plot is what the scene calls by this name. */
function isCalled(plot: PlotInfo, name: string, mechanism: Mechanism): boolean {
  if (name === 'energy') return plot.kind === 'energy';
  if (name === 'tensions') return plot.kind === 'tension';
  if (plot.kind === 'record') return plot.title === name;
  return plot.series.some((s) => s.body && mechanism.bodies[s.body - 1].joint.name === name);
}

/** All plots of a mechanism, the first kFirst of them those that are open at first. */
export function plotsOf(mechanism: Mechanism, run: Run): PlotInfo[] {
  const { columns, bodies } = mechanism;
  const groups = new Map<string, number[]>();
  const hasTurn = (k: number): boolean => {
    const joint = columns[k].kind === 'q' && columns[k].body ? bodies[columns[k].body - 1].joint : undefined;
    return !!joint && /^(free|spherical)$/.test(joint.type) && k - joint.q < 4;
  };
  columns.forEach((column, k) => {
    const key = hasTurn(k) ? `${column.plot}, quaternion\nquaternion` : `${titleOf(column)}\n${column.unit}`;
    const full = `${key}\n${column.kind}`;
    groups.set(full, [...(groups.get(full) ?? []), k]);
  });
  const all: PlotInfo[] = [];
  for (const [key, list] of groups) {
    const [title, unit, kind] = key.split('\n') as [string, string, ColumnInfo['kind']];
    if (unit === 'quaternion') {
      const { body } = columns[list[0]];
      all.push({ title: `${columns[list[0]].plot}, orientation`, unit: 'deg', kind: 'q', series: orientation(mechanism, body), body });
    }
    const parts = split(title, kind, list.map((k) => seriesOf(columns[k], k)));
    if (unit === 'quaternion') for (const part of parts) part.unit = unit;
    all.push(...parts);
  }
  const ranks = new Map(all.map((plot) => [plot, rankOf(plot, run)]));
  const asked = (mechanism.view?.plots ?? []).flatMap((name) => all.filter((plot) => isCalled(plot, name, mechanism)));
  for (const plot of asked) ranks.set(plot, -1 - asked.length + asked.indexOf(plot));
  return all.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
}
