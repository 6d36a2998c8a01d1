// Plots over time that share one cursor with the player; a click goes to that instant. A few are open at first, the
// others are folded by what they belong to; those of the selected body stand on top.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { fileName, find, make, save, shown } from './dom';
import type { Mechanism } from './data';
import { kMostColors, kThemes, type Theme } from './palette';
import { PhasePlots } from './phase';
import { csvOf, svgOf } from './plot_files';
import { usualRange } from './range';
import type { Run } from './run';
import { kFirst, plotsOf, type PlotInfo } from './series';

const kHeight = 132;
export const kFont = '11px Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Room for the labels beside an axis, in pixels: those in exponent form are longer, and a minus must not be cut off. */
function widthOf(labels: string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(46, 14 + 7 * longest);
}

interface Plot {
  info: PlotInfo;
  figure: HTMLElement;
  area: HTMLElement;
  labels: { item: HTMLElement; value: HTMLElement }[];
  chart?: uPlot;
  seen: boolean;
  frames: number;
  /** The largest number in it, beside which others are noise. */
  scale: number;
}
interface Fold {
  button: HTMLElement;
  plots: Plot[];
}

export class Plots {
  private readonly place = find('plots');
  private readonly plots: Plot[] = [];
  private readonly folds: Fold[] = [];
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
    const infos = plotsOf(mechanism, run);
    for (const info of infos.slice(0, kFirst)) this.add(info);
    this.fold(infos.slice(kFirst));
    const phases = make('div', { class: 'phases' });
    this.place.append(phases);
    this.phases = new PhasePlots(phases, mechanism, run, theme);
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
      plot.labels.forEach(({ item }, i) => ((item.firstElementChild as HTMLElement).style.background = this.colorOf(plot, i)));
      if (plot.seen) this.refresh(plot);
    }
  }

  /** Charts that are drawn, for scripts: colors of their lines, and how much room is left beside the widest label (px). */
  charts(): { title: string; room: number; colors: string[] }[] {
    const pen = document.createElement('canvas').getContext('2d')!;
    pen.font = kFont;
    return this.plots.flatMap((plot) => {
      const axis = plot.chart?.axes[1] as { _values?: string[]; _size?: number } | undefined;
      if (!axis?._values || !plot.seen) return [];
      const widest = Math.max(0, ...axis._values.map((label) => pen.measureText(label ?? '').width));
      return [{ title: plot.info.title, room: axis._size! - 6 - widest, colors: plot.info.series.map((_, i) => this.colorOf(plot, i)) }];
    });
  }

  /** Moves the cursor, and takes up frames that have come since. */
  update(t: number): void {
    this.time = t;
    for (const plot of this.plots) if (plot.seen) this.refresh(plot);
    this.phases.update(t);
  }

  /** Lights up the lines of a body and puts its plots on top. */
  mark(body: number): void {
    this.selected = body;
    let own = false;
    for (const plot of this.plots) {
      const isOwn = body !== 0 && plot.info.series.some((s) => s.body === body);
      plot.figure.classList.toggle('own', isOwn);
      own ||= isOwn;
      plot.info.series.forEach((s, i) => {
        plot.labels[i].item.classList.toggle('lit', body !== 0 && s.body === body);
        (plot.labels[i].item.firstElementChild as HTMLElement).style.background = this.colorOf(plot, i);
      });
      plot.chart?.redraw(false);
    }
    if (own) this.place.scrollTop = 0;
  }

  /** Plots that are not among the first are folded: those of a body together, the others by what they are. */
  private fold(infos: PlotInfo[]): void {
    const groups = new Map<string, PlotInfo[]>();
    const kinds = { record: 'More records', energy: 'Energy', tension: 'Tensions', q: 'Coordinates', v: 'Velocities' };
    for (const info of infos) {
      const key = info.body ? this.mechanism.bodies[info.body - 1].name : kinds[info.kind];
      groups.set(key, [...(groups.get(key) ?? []), info]);
    }
    for (const [name, list] of groups) {
      const count = `${list.length} ${list.length === 1 ? 'plot' : 'plots'}`;
      const button = make('button', { class: 'fold', 'aria-expanded': 'false' }, make('span', {}, name), make('span', { class: 'quiet' }, count));
      this.place.append(button);
      const plots = list.map((info) => this.add(info));
      for (const plot of plots) plot.figure.classList.add('folded');
      button.onclick = () => {
        const open = button.getAttribute('aria-expanded') !== 'true';
        button.setAttribute('aria-expanded', String(open));
        for (const plot of plots) plot.figure.classList.toggle('folded', !open);
      };
      this.folds.push({ button, plots });
    }
  }

  private add(info: PlotInfo): Plot {
    const area = make('div', { class: 'curves' });
    const legend = make('div', { class: 'legend' });
    const plot: Plot = { info, figure: make('figure', { 'aria-label': info.title }), area, labels: [], seen: false, frames: -1, scale: 0 };
    info.series.forEach((s, i) => {
      const value = make('b');
      const dash = make('i');
      dash.style.background = this.colorOf(plot, i);
      const item = make('span', { title: s.name }, dash, s.label, value);
      if (s.body) item.onclick = () => this.select(s.body);
      legend.append(item);
      plot.labels.push({ item, value });
    });
    plot.figure.append(make('figcaption', {}, make('span', {}, info.title), this.fileButtons(plot), make('span', { class: 'quiet' }, info.unit)), area, legend);
    this.place.append(plot.figure);
    this.plots.push(plot);
    this.watcher.observe(plot.figure);
    return plot;
  }

  /** Buttons that save the plot. */
  private fileButtons(plot: Plot): HTMLElement {
    const { info } = plot;
    const light = kThemes.light.lines; // files are on white
    const contents: Record<string, () => string> = {
      SVG: () => svgOf(info, this.run, info.series.map((_, i) => light[i % light.length])),
      CSV: () => csvOf(info, this.run),
    };
    const buttons = Object.entries(contents).map(([kind, text]) => {
      const button = make('button', { title: `Save as ${kind}`, 'aria-label': `Save ${info.title} as ${kind}` }, kind);
      button.onclick = () => save(new Blob([text()], { type: kind === 'SVG' ? 'image/svg+xml' : 'text/csv' }), fileName(`${this.mechanism.name} ${info.title}`, kind.toLowerCase()));
      return button;
    });
    return make('span', { class: 'files' }, ...buttons);
  }

  private refresh(plot: Plot): void {
    if (!plot.chart) this.make(plot);
    else if (plot.frames !== this.run.frames) plot.chart.setData(this.data(plot));
    else plot.chart.redraw(false);
    plot.frames = this.run.frames;
    plot.info.series.forEach((s, i) => {
      const text = shown(s.at(this.run, this.time), 5, plot.scale);
      if (plot.labels[i].value.textContent !== text) plot.labels[i].value.textContent = text;
    });
  }

  private data(plot: Plot): uPlot.AlignedData {
    return [this.run.times, ...plot.info.series.map((s) => s.values(this.run))] as unknown as uPlot.AlignedData;
  }

  /** The color of a line; beyond the first few grey, but for those of the selected body. */
  private colorOf(plot: Plot, i: number): string {
    const { lines } = this.theme;
    const body = plot.info.series[i].body;
    return i < kMostColors || (body !== 0 && body === this.selected) ? lines[i % lines.length] : lines[lines.length - 1];
  }

  private make(plot: Plot): void {
    const width = this.place.clientWidth - 28;
    if (width < 40) return;
    const axis = { stroke: this.theme.text, grid: { stroke: this.theme.axis, width: 1 }, ticks: { show: false }, font: kFont, gap: 6 };
    const body = (i: number): number => plot.info.series[i].body;
    plot.chart = new uPlot(
      {
        width,
        height: kHeight,
        pxAlign: 0,
        legend: { show: false },
        cursor: { sync: { key: 'cardan' }, drag: { x: false, y: false }, points: { size: 6 } },
        scales: { x: { time: false }, y: { range: (chart) => this.rangeOf(plot, chart) } },
        padding: [6, 8, 0, 0],
        axes: [
          { ...axis, size: 22, values: (_, ticks) => ticks.map((x) => shown(x, 5)) },
          { ...axis, space: 26, size: (_, labels) => widthOf(labels), values: (_, ticks) => ticks.map((x) => shown(x, 5, plot.scale)) },
        ],
        series: [
          {},
          ...plot.info.series.map((_, i) => ({
            stroke: () => (this.selected && body(i) && body(i) !== this.selected ? `${this.colorOf(plot, i)}40` : this.colorOf(plot, i)),
            width: 1.7,
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

  /** Values of a blow-up are cut off, and the caption says so; what is noise around nothing is nothing. */
  private rangeOf(plot: Plot, chart: uPlot): [number, number] {
    const { low, high, clipped } = usualRange(plot.info.series.map((s) => s.values(this.run)));
    plot.figure.classList.toggle('clipped', clipped);
    plot.scale = this.scaleOf(plot, Math.max(Math.abs(low), Math.abs(high)));
    if (!chart) return [low, high];
    if (high - low < 1e-12 * plot.scale) {
      const middle = (low + high) / 2;
      const reach = Math.max(1e-3, 0.1 * Math.abs(middle));
      return [middle - reach, middle + reach];
    }
    const room = 0.06 * (high - low) || Math.max(1e-9, 0.1 * Math.abs(high));
    return [low - room, high + room];
  }

  /** Numbers below 1e-12 of this are noise: of coordinates beside a meter or a turn, of a drift beside the energy. */
  private scaleOf(plot: Plot, largest: number): number {
    if (plot.info.kind === 'record' || plot.info.kind === 'tension') return Math.max(largest, 1e-6);
    if (plot.info.kind !== 'energy') return Math.max(largest, plot.info.unit === 'deg' ? 1000 : 1);
    const energies = this.plots.filter(({ info }) => info.kind === 'energy').flatMap(({ info }) => info.series);
    let most = largest;
    for (const { values } of energies) for (const x of values(this.run) as Float64Array) if (Math.abs(x) > most) most = Math.abs(x);
    return most;
  }

  /** The instant that is shown, as a line across. */
  private drawTime(chart: uPlot): void {
    const x = chart.valToPos(this.time, 'x', true);
    const { left, top, width, height } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.save();
    chart.ctx.strokeStyle = this.theme.text;
    chart.ctx.lineWidth = devicePixelRatio;
    chart.ctx.beginPath();
    chart.ctx.moveTo(x, top);
    chart.ctx.lineTo(x, top + height);
    chart.ctx.stroke();
    chart.ctx.restore();
  }

  private resize(): void {
    const width = this.place.clientWidth - 28;
    if (width < 40) return;
    for (const plot of this.plots) {
      plot.chart?.setSize({ width, height: kHeight });
      if (plot.seen) this.refresh(plot);
    }
    this.phases.update(this.time);
  }
}
