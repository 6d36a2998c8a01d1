// Plots over time that share one cursor with the player; a click goes to that instant.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { digits, find, make } from './dom';
import type { Mechanism } from './data';
import { kLineColors, type Theme } from './palette';
import { PhasePlots } from './phase';
import { usualRange } from './range';
import type { Run } from './run';

/** As many lines as one plot can keep apart. */
const kMostLines = 8;
const kHeight = 150;

/** Room for the labels beside an axis, in pixels: those in exponent form are longer, and a minus must not be cut off. */
function widthOf(labels: string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(58, 18 + 7 * longest);
}

interface Plot {
  title: string;
  unit: string;
  columns: number[];
  figure: HTMLElement;
  area: HTMLElement;
  labels: { item: HTMLElement; value: HTMLElement }[];
  chart?: uPlot;
  seen: boolean;
  frames: number;
}

export class Plots {
  private readonly place = find('plots');
  private readonly plots: Plot[] = [];
  private readonly watcher: IntersectionObserver;
  private time = 0;
  private selected = 0;
  private readonly phases: PhasePlots;

  constructor(
    private readonly mechanism: Mechanism,
    private run: Run,
    private theme: Theme,
    private readonly seek: (t: number) => void,
    private readonly select: (body: number) => void,
  ) {
    this.place.replaceChildren();
    this.watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const plot = this.plots.find((p) => p.figure === entry.target)!;
        plot.seen = entry.isIntersecting;
        if (plot.seen) this.refresh(plot);
      }
    }, { root: null, rootMargin: '100px' });
    this.group();
    this.phases = new PhasePlots(this.place, mechanism, run, theme);
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  dispose(): void {
    this.watcher.disconnect();
    for (const plot of this.plots) plot.chart?.destroy();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.phases.setTheme(theme);
    for (const plot of this.plots) {
      plot.chart?.destroy();
      plot.chart = undefined;
      if (plot.seen) this.refresh(plot);
    }
  }

  /** Moves the cursor, and takes up frames that have come since. */
  update(t: number): void {
    this.time = t;
    for (const plot of this.plots) if (plot.seen) this.refresh(plot);
    this.phases.update(t);
  }

  /** Lights up the lines of a body and brings its first plot into sight. */
  mark(body: number): void {
    this.selected = body;
    let first = true;
    for (const plot of this.plots) {
      const own = plot.columns.some((k) => this.mechanism.columns[k].body === body);
      plot.columns.forEach((k, i) =>
        plot.labels[i].item.classList.toggle('lit', body !== 0 && this.mechanism.columns[k].body === body),
      );
      if (own && body !== 0 && first) {
        plot.figure.scrollIntoView({ block: 'nearest' });
        first = false;
      }
      plot.chart?.redraw(false);
    }
  }

  /** Sorts columns into plots, records first: those of one title and unit together, those of a body not torn apart. */
  private group(): void {
    const titles = new Map<string, number[]>();
    const order = ['record', 'q', 'v', 'tension', 'energy'];
    const { columns: all } = this.mechanism;
    const sorted = all.map((_, k) => k).sort((a, b) => order.indexOf(all[a].kind) - order.indexOf(all[b].kind) || a - b);
    for (const k of sorted) {
      const key = `${all[k].plot}\n${all[k].unit}`;
      titles.set(key, [...(titles.get(key) ?? []), k]);
    }
    for (const [key, columns] of titles) {
      const title = key.split('\n')[0];
      const parts: number[][] = [];
      for (let i = 0; i < columns.length; ) {
        const body = all[columns[i]].body;
        let end = i + 1;
        while (body !== 0 && end < columns.length && all[columns[end]].body === body) ++end;
        const last = parts.at(-1);
        if (last && last.length + end - i <= kMostLines) last.push(...columns.slice(i, end));
        else parts.push(columns.slice(i, end));
        i = end;
      }
      parts.forEach((part, i) => this.add(parts.length > 1 ? `${title} (${i + 1} of ${parts.length})` : title, part));
    }
  }

  private add(title: string, columns: number[]): void {
    const units = [...new Set(columns.map((k) => this.mechanism.columns[k].unit).filter((unit) => unit !== ''))];
    const area = make('div', { class: 'curves' });
    const legend = make('div', { class: 'legend' });
    const labels = columns.map((k, i) => {
      const { name, label, body } = this.mechanism.columns[k];
      const value = make('b');
      const dash = make('i');
      dash.style.background = kLineColors[i % kLineColors.length];
      const item = make('span', { title: name }, dash, label, value);
      if (body) item.onclick = () => this.select(body);
      legend.append(item);
      return { item, value };
    });
    const unit = units.join(', ');
    const figure = make('figure', { 'aria-label': title }, make('figcaption', {}, title, make('span', {}, unit)), area, legend);
    this.place.append(figure);
    this.plots.push({ title, unit, columns, figure, area, labels, seen: false, frames: -1 });
    this.watcher.observe(figure);
  }

  private refresh(plot: Plot): void {
    if (!plot.chart) this.make(plot);
    else if (plot.frames !== this.run.frames) plot.chart.setData(this.data(plot));
    else plot.chart.redraw(false);
    plot.frames = this.run.frames;
    plot.columns.forEach((k, i) => {
      const text = digits(this.run.value(k, this.time), 5);
      if (plot.labels[i].value.textContent !== text) plot.labels[i].value.textContent = text;
    });
  }

  private data(plot: Plot): uPlot.AlignedData {
    return [this.run.times, ...plot.columns.map((k) => this.run.column(k))] as unknown as uPlot.AlignedData;
  }

  private make(plot: Plot): void {
    const width = this.place.clientWidth - 24;
    if (width < 40) return;
    const axis = { stroke: this.theme.text, grid: { stroke: this.theme.axis, width: 1 }, ticks: { stroke: this.theme.axis, width: 1 }, font: '11px system-ui, sans-serif' };
    const body = (i: number): number => this.mechanism.columns[plot.columns[i - 1]].body;
    plot.chart = new uPlot(
      {
        width,
        height: kHeight,
        pxAlign: 0,
        legend: { show: false },
        cursor: { sync: { key: 'cardan' }, drag: { x: false, y: false }, points: { size: 6 } },
        scales: { x: { time: false }, y: { range: (chart) => this.rangeOf(plot, chart) } },
        padding: [8, 8, 0, 0],
        axes: [{ ...axis, size: 26 }, { ...axis, size: (_, labels) => widthOf(labels), values: (_, ticks) => ticks.map((x) => digits(x, 5)) }],
        series: [
          {},
          ...plot.columns.map((_, i) => ({
            stroke: (_u: uPlot, k: number) =>
              this.selected && body(k) && body(k) !== this.selected ? `${kLineColors[i % kLineColors.length]}40` : kLineColors[i % kLineColors.length],
            width: 1.6,
            points: { show: false },
          })),
        ],
        hooks: {
          draw: [(chart) => this.drawTime(chart)],
          ready: [(chart) => chart.over.addEventListener('click', (event) => this.seek(chart.posToVal(event.offsetX, 'x')))],
        },
      },
      this.data(plot),
      plot.area,
    );
  }

  /** Values of a blow-up are cut off, and the caption says so. */
  private rangeOf(plot: Plot, chart: uPlot): [number, number] {
    const { low, high, clipped } = usualRange(plot.columns.map((k) => this.run.column(k)));
    plot.figure.classList.toggle('clipped', clipped);
    if (!chart) return [low, high];
    const room = 0.06 * (high - low) || Math.max(1e-9, 0.1 * Math.abs(high));
    return [low - room, high + room];
  }

  /** The instant that is shown, as a line across. */
  private drawTime(chart: uPlot): void {
    const x = chart.valToPos(this.time, 'x', true);
    const { left, top, width, height } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.save();
    chart.ctx.strokeStyle = '#ff8800';
    chart.ctx.lineWidth = 1.5 * devicePixelRatio;
    chart.ctx.beginPath();
    chart.ctx.moveTo(x, top);
    chart.ctx.lineTo(x, top + height);
    chart.ctx.stroke();
    chart.ctx.restore();
  }

  private resize(): void {
    const width = this.place.clientWidth - 24;
    if (width < 40) return;
    for (const plot of this.plots) {
      plot.chart?.setSize({ width, height: kHeight });
      if (plot.seen) this.refresh(plot);
    }
    this.phases.update(this.time);
  }
}
