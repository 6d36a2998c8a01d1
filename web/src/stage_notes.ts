// What stands on the stage beside the picture: layers as chips, the health of the run, the scale of floor and arrows.
import { find, make, shown } from './dom';
import type { Health } from './data';

export type LayerName = 'grid' | 'axes' | 'coms' | 'frames' | 'anchors' | 'loops' | 'lines' | 'contacts' | 'traces' | 'collisions';

export const kLayers: [LayerName, string][] = [
  ['grid', 'ground'],
  ['anchors', 'anchors'],
  ['loops', 'loops'],
  ['lines', 'springs'],
  ['contacts', 'contacts'],
  ['traces', 'traces'],
  ['axes', 'joint axes'],
  ['coms', 'mass centers'],
  ['frames', 'frames'],
  ['collisions', 'collision'],
];
/** What [view] of scenes calls them. */
export const kLayerOfWord: Record<string, LayerName> = {
  ground: 'grid', anchors: 'anchors', loops: 'loops', springs: 'lines', contacts: 'contacts', traces: 'traces',
};

/** Chips that show and hide layers; those that the scene has nothing for are left out. */
export class LayerChips {
  private readonly boxes = new Map<string, HTMLInputElement>();

  constructor(change: (name: string, on: boolean) => void) {
    const place = find('layers');
    for (const [name, label] of kLayers) {
      const box = make('input', { type: 'checkbox', id: `layer-${name}` });
      box.onchange = () => change(name, box.checked);
      this.boxes.set(name, box);
      place.append(make('label', { class: 'chip' }, box, make('span', {}, label)));
    }
  }
  set(name: string, on: boolean): void {
    this.boxes.get(name)!.checked = on;
  }
  offer(has: (name: LayerName) => boolean): void {
    for (const [name] of kLayers) this.boxes.get(name)!.parentElement!.hidden = !has(name);
  }
}

/** How well the run met its laws, in a line; a click opens the table of the run. */
export function showHealth(health: Health | undefined, warnings: number): void {
  const button = find('health');
  button.hidden = !health || (health.said.length === 0 && warnings === 0);
  if (!health || button.hidden) return;
  const warned = warnings ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : [];
  button.textContent = [...warned, ...health.said].join(' \u00b7 ').replaceAll(/([\de])-(?=\d)/g, '$1\u2212');
  button.classList.toggle('doubtful', !health.good);
  button.setAttribute('aria-label', `How the run went: ${button.textContent}`);
}

/** The scale of the picture: how wide a cell of the floor is, and how long the arrow of a round force. */
export class Scale {
  private readonly place = find('scale');
  private text = '';

  show(cell: number | undefined, force: { newtons: number; pixels: number } | undefined): void {
    const wide = force ? Math.round(force.pixels) : 0;
    const text = `${cell ?? ''} ${force ? `${shown(force.newtons)} ${wide}` : ''}`;
    if (text === this.text) return;
    this.text = text;
    this.place.replaceChildren();
    if (cell !== undefined) this.place.append(make('span', { class: 'cell', title: 'Between two lines of the floor' }, lengthText(cell)));
    if (!force) return;
    const arrow = make('i');
    arrow.style.width = `${wide}px`;
    this.place.append(make('span', { class: 'force', title: 'A contact force of this size; lengths grow with its root' }, arrow, `${shown(force.newtons)} N`));
  }
}

function lengthText(meters: number): string {
  if (meters >= 1000) return `${shown(meters / 1000)} km`;
  if (meters >= 1) return `${shown(meters)} m`;
  return meters >= 0.01 ? `${shown(100 * meters)} cm` : `${shown(1000 * meters)} mm`;
}

/** The round number nearest to x: 1, 2 or 5 times a power of ten. */
export function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].reduce((best, k) => (Math.abs(k * power - x) < Math.abs(best * power - x) ? k : best));
}
