// Plots as files: the numbers as CSV, the lines as SVG.
import { shown } from './dom';
import { ticksOf } from './phase';
import { usualRange } from './range';
import type { Run } from './run';
import type { PlotInfo } from './series';

const kWidth = 720;
const kHeight = 300;
const kLeft = 76;
const kTop = 36;

const quoted = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function csvOf(plot: PlotInfo, run: Run): string {
  const columns = [run.times, ...plot.series.map((s) => s.values(run))];
  const rows = Array.from(run.times, (_, i) => columns.map((column) => column[i]).join(','));
  return [['t', ...plot.series.map((s) => quoted(s.name))].join(','), ...rows, ''].join('\n');
}

/** The lowest and the highest of each pixel: peaks stay. */
function polyline(times: ArrayLike<number>, values: ArrayLike<number>, x: (t: number) => number, y: (v: number) => number): string {
  const every = Math.max(1, Math.floor(times.length / (2 * kWidth)));
  const points: string[] = [];
  for (let first = 0; first < times.length; first += every) {
    let [low, high] = [first, first];
    for (let i = first; i < Math.min(times.length, first + every); ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    for (const i of low === high ? [low] : [Math.min(low, high), Math.max(low, high)])
      if (Number.isFinite(values[i])) points.push(`${x(times[i]).toFixed(1)},${y(values[i]).toFixed(1)}`);
  }
  return points.join(' ');
}

export function svgOf(plot: PlotInfo, run: Run, colors: string[]): string {
  const { low, high } = usualRange(plot.series.map((s) => s.values(run)));
  const room = 0.06 * (high - low) || Math.max(1e-9, 0.1 * Math.abs(high));
  const [bottom, top] = [low - room, high + room];
  const x = (t: number): number => kLeft + ((kWidth - kLeft - 12) * (t - run.start)) / (run.end - run.start || 1);
  const y = (v: number): number => kTop + kHeight * (1 - (Math.min(top, Math.max(bottom, v)) - bottom) / (top - bottom));
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${kTop + kHeight + 66}" width="${kWidth}" height="${kTop + kHeight + 66}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${kLeft}" y="22" font-size="15" font-weight="bold">${escaped(plot.unit ? `${plot.title} (${plot.unit})` : plot.title)}</text>`,
  ];
  for (const t of ticksOf(run.start, run.end, 7)) out.push(`<path d="M${x(t).toFixed(1)} ${kTop}v${kHeight}" stroke="#e2e6ea"/><text x="${x(t).toFixed(1)}" y="${kTop + kHeight + 17}" text-anchor="middle">${shown(t, 5)}</text>`);
  for (const v of ticksOf(bottom, top, 5)) out.push(`<path d="M${kLeft} ${y(v).toFixed(1)}H${kWidth - 12}" stroke="#e2e6ea"/><text x="${kLeft - 7}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${shown(v, 5)}</text>`);
  out.push(`<text x="${(kLeft + kWidth) / 2}" y="${kTop + kHeight + 35}" text-anchor="middle">t (s)</text>`);
  plot.series.forEach((s, i) => {
    out.push(`<polyline fill="none" stroke="${colors[i]}" stroke-width="1.7" points="${polyline(run.times, s.values(run), x, y)}"/>`);
    const at = kLeft + i * 82;
    out.push(`<path d="M${at} ${kTop + kHeight + 52}h18" stroke="${colors[i]}" stroke-width="3"/><text x="${at + 24}" y="${kTop + kHeight + 56}">${escaped(s.label)}</text>`);
  });
  return [...out, '</svg>', ''].join('\n');
}
