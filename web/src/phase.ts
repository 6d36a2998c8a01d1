// Plots of one column over another, on request: phase plots.
import { make, shown } from './dom';
import type { Mechanism } from './data';
import type { Theme } from './palette';
import { usualRange } from './range';
import type { Run } from './run';

const kHeight = 240;
const kMargin = { left: 62, right: 10, top: 8, bottom: 26 };

interface Phase {
  x: number;
  y: number;
  figure: HTMLElement;
  canvas: HTMLCanvasElement;
}

export class PhasePlots {
  private readonly phases: Phase[] = [];
  private time = 0;

  constructor(
    place: HTMLElement,
    private readonly mechanism: Mechanism,
    private readonly run: Run,
    private theme: Theme,
  ) {
    const { columns } = mechanism;
    if (columns.length < 2) return;
    const choice = (label: string, chosen: number): HTMLSelectElement => {
      const select = make('select', { 'aria-label': label });
      columns.forEach((column, k) => select.append(make('option', { value: String(k) }, column.name)));
      select.value = String(chosen);
      return select;
    };
    const rate = columns.findIndex((column) => column.kind === 'v');
    const y = choice('Vertical axis', Math.max(0, rate));
    const x = choice('Horizontal axis', 0);
    const button = make('button', { title: 'Plot one column over the other' }, 'Plot');
    const list = make('div');
    button.onclick = () => this.add(list, Number(x.value), Number(y.value));
    place.append(make('div', { class: 'phase-choice' }, y, 'over', x, button), list);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.update(this.time);
  }

  update(t: number): void {
    this.time = t;
    for (const phase of this.phases) this.draw(phase);
  }

  private add(list: HTMLElement, x: number, y: number): void {
    const { columns } = this.mechanism;
    const title = `${columns[y].name} over ${columns[x].name}`;
    const canvas = make('canvas', { role: 'img', 'aria-label': title });
    const close = make('button', { 'aria-label': `Remove ${title}`, title: 'Remove' }, '×');
    const figure = make('figure', { class: 'phase', 'aria-label': title }, make('figcaption', {}, title, close), canvas);
    const phase = { x, y, figure, canvas };
    close.onclick = () => {
      figure.remove();
      this.phases.splice(this.phases.indexOf(phase), 1);
    };
    list.append(figure);
    this.phases.push(phase);
    this.draw(phase);
    figure.scrollIntoView({ block: 'nearest' });
  }

  private draw({ x, y, canvas }: Phase): void {
    const width = canvas.parentElement!.clientWidth;
    if (width < 120) return;
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = kHeight * scale;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${kHeight}px`;
    const g = canvas.getContext('2d')!;
    g.scale(scale, scale);
    const [xs, ys] = [this.run.column(x), this.run.column(y)];
    const inside = { width: width - kMargin.left - kMargin.right, height: kHeight - kMargin.top - kMargin.bottom };
    const across = axisOf(usualRange([xs]));
    const up = axisOf(usualRange([ys]));
    const px = (value: number): number => kMargin.left + (inside.width * (value - across.low)) / (across.high - across.low);
    const py = (value: number): number => kMargin.top + inside.height * (1 - (value - up.low) / (up.high - up.low));
    g.font = '11px Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
    g.fillStyle = this.theme.text;
    g.strokeStyle = this.theme.axis;
    g.lineWidth = 1;
    const line = (ax: number, ay: number, bx: number, by: number): void => {
      g.beginPath();
      g.moveTo(ax, ay);
      g.lineTo(bx, by);
      g.stroke();
    };
    g.textAlign = 'center';
    for (const tick of across.ticks) {
      line(px(tick), kMargin.top, px(tick), kMargin.top + inside.height);
      g.fillText(shown(tick, 4), px(tick), kHeight - 8);
    }
    g.textAlign = 'right';
    for (const tick of up.ticks) {
      line(kMargin.left, py(tick), kMargin.left + inside.width, py(tick));
      g.fillText(shown(tick, 4), kMargin.left - 6, py(tick) + 4);
    }
    g.save();
    g.beginPath();
    g.rect(kMargin.left, kMargin.top, inside.width, inside.height);
    g.clip();
    g.strokeStyle = this.theme.lines[0];
    g.lineWidth = 1.4;
    g.beginPath();
    for (let i = 0; i < xs.length; ++i) g.lineTo(px(xs[i]), py(ys[i]));
    g.stroke();
    g.fillStyle = this.theme.text;
    g.beginPath();
    g.arc(px(this.run.value(x, this.time)), py(this.run.value(y, this.time)), 4, 0, 2 * Math.PI);
    g.fill();
    g.restore();
  }
}

/** A range with some room, and round numbers in it. */
function axisOf(range: { low: number; high: number }): { low: number; high: number; ticks: number[] } {
  const room = 0.06 * (range.high - range.low) || Math.max(1e-9, 0.1 * Math.abs(range.high));
  const low = range.low - room;
  const high = range.high + room;
  const ticks = ticksOf(low, high, 5);
  return { low, high, ticks };
}

/** Round numbers between two, about so many. */
export function ticksOf(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= rough) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}
