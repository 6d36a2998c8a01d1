// The list of bodies, indented as they carry one another, with search and visibility; many of one name are folded. And
// what is known of one of them.
import type { Bodies } from './bodies';
import { find, make, shown } from './dom';
import type { Mechanism } from './data';
import type { Run } from './run';

/** So many bodies in a row whose names differ by a number are folded. */
const kFold = 6;

/** The name without its number: "left rope" of "left rope.12". */
function stemOf(name: string): string {
  return name.replace(/[\s._\-/:]*\d+$/, '');
}

export class Tree {
  private readonly list = find('tree');
  private readonly search = find<HTMLInputElement>('search');
  private readonly rows: HTMLLIElement[] = [];
  /** Heads of folded rows, with the bodies under them. */
  private readonly folds: { head: HTMLLIElement; bodies: number[]; open: boolean }[] = [];

  constructor(
    private readonly mechanism: Mechanism,
    bodies: Bodies,
    private readonly select: (body: number) => void,
    changed: () => void,
  ) {
    this.list.replaceChildren();
    const children = new Map<number, number[]>();
    mechanism.bodies.forEach((body, i) => children.set(body.parent, [...(children.get(body.parent) ?? []), i + 1]));
    const add = (body: number, depth: number): void => {
      const [name, hint] = this.namesOf(body);
      const box = make('input', { type: 'checkbox', 'aria-label': `Show ${name}`, title: 'Show or hide' });
      const row = make(
        'li',
        { role: 'treeitem', 'aria-level': String(depth + 1), 'aria-selected': 'false', tabindex: '-1', title: `${name}: ${hint}` },
        make('span', { class: 'dot' }),
        make('span', { class: 'name' }, name),
        box,
      );
      (row.firstElementChild as HTMLElement).style.background = bodies.colorOf(body);
      row.style.paddingLeft = `${6 + 10 * Math.min(depth, 6)}px`;
      box.checked = !bodies.isHidden(body);
      row.classList.toggle('off', !box.checked);
      box.onclick = (event) => event.stopPropagation();
      box.onchange = () => {
        bodies.setHidden(body, !box.checked);
        row.classList.toggle('off', !box.checked);
        changed();
      };
      row.onclick = () => select(body);
      this.rows[body] = row;
      this.list.append(row);
    };
    if (mechanism.shapes.some((shape) => shape.body === 0)) add(0, 0);
    // without recursion, because a chain may be a thousand bodies long
    const open: [number, number][] = [...(children.get(0) ?? [])].reverse().map((body) => [body, 0]);
    const order: [number, number][] = [];
    for (let next = open.pop(); next; next = open.pop()) {
      order.push(next);
      for (const child of [...(children.get(next[0]) ?? [])].reverse()) open.push([child, next[1] + 1]);
    }
    this.addAll(order, add);
    if (this.rows.length) (this.list.firstElementChild as HTMLElement).tabIndex = 0;
    this.search.oninput = () => this.filter();
    this.list.onkeydown = (event) => this.walk(event);
    this.filter();
  }

  /** Adds rows in order; many in a row that differ by a number alone go under one head. */
  private addAll(order: [number, number][], add: (body: number, depth: number) => void): void {
    const stem = (at: number): string => (order[at] ? stemOf(this.namesOf(order[at][0])[0]) : '');
    for (let i = 0; i < order.length; ) {
      let end = i + 1;
      while (end < order.length && stem(i) !== '' && stem(end) === stem(i)) ++end;
      if (end - i >= kFold) this.addFold(stem(i), order.slice(i, end).map(([body]) => body), order[i][1]);
      for (; i < end; ++i) add(...order[i]);
    }
  }
  private addFold(name: string, bodies: number[], depth: number): void {
    const head = make('li', { role: 'treeitem', 'aria-expanded': 'false', 'aria-level': String(depth + 1), class: 'head', tabindex: '-1' });
    head.append(make('span', { class: 'turn' }), make('span', { class: 'name' }, name), make('span', { class: 'quiet' }, String(bodies.length)));
    head.style.paddingLeft = `${6 + 10 * Math.min(depth, 6)}px`;
    const fold = { head, bodies, open: false };
    head.onclick = () => {
      fold.open = !fold.open;
      head.setAttribute('aria-expanded', String(fold.open));
      this.filter();
    };
    this.folds.push(fold);
    this.list.append(head);
  }

  mark(body: number): void {
    const fold = this.folds.find(({ bodies, open }) => !open && bodies.includes(body));
    fold?.head.click();
    this.rows.forEach((row, i) => row.setAttribute('aria-selected', String(i !== 0 && i === body)));
    this.rows[body]?.scrollIntoView({ block: 'nearest' });
  }

  private filter(): void {
    const wanted = this.search.value.toLowerCase();
    this.rows.forEach((row, body) => {
      row.hidden = !this.namesOf(body).some((text) => text.toLowerCase().includes(wanted));
    });
    for (const { head, bodies, open } of this.folds) {
      head.hidden = wanted !== '';
      if (wanted === '' && !open) for (const body of bodies) this.rows[body].hidden = true;
    }
  }

  /** What a body is called, and what holds it; what is fixed to the world is called by its frame there. */
  private namesOf(body: number): [string, string, ...string[]] {
    if (body === 0) return [this.mechanism.frames.find((frame) => frame.body === 0)?.name ?? 'world', 'fixed to the world'];
    const { name, joint } = this.mechanism.bodies[body - 1];
    return [name, `${joint.type} joint`, joint.name];
  }

  /** Arrow keys move along the list. */
  private walk(event: KeyboardEvent): void {
    if (event.key === 'Enter') (document.activeElement as HTMLElement).click();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    event.stopPropagation();
    const visible = [...this.list.children].filter((row) => !(row as HTMLElement).hidden) as HTMLLIElement[];
    const at = visible.indexOf(document.activeElement as HTMLLIElement) + (event.key === 'ArrowDown' ? 1 : -1);
    const row = visible[Math.min(visible.length - 1, Math.max(0, at))];
    row?.focus();
    if (row && this.rows.includes(row)) this.select(this.rows.indexOf(row));
  }
}

/** What is known of the selected body. */
export class Inspector {
  private readonly box = find('inspector');
  private readings: HTMLElement[] = [];
  private columns: number[] = [];

  constructor(
    private readonly mechanism: Mechanism,
    private readonly actions: { label: string; hint: string; pressed: (body: number) => boolean; act: (body: number) => void }[],
  ) {
    this.box.hidden = true;
  }

  show(body: number): void {
    this.box.hidden = body === 0;
    if (body === 0) return;
    const { name, mass, joint, parent } = this.mechanism.bodies[body - 1];
    const list = make('dl');
    const add = (what: string, value: string): HTMLElement => {
      const cell = make('dd', {}, value);
      list.append(make('dt', {}, what), cell);
      return cell;
    };
    add('mass', `${shown(mass)} kg`);
    add('joint', joint.name === name ? joint.type : `${joint.name} (${joint.type})`);
    add('on', parent === 0 ? 'world' : this.mechanism.bodies[parent - 1].name);
    this.columns = [];
    this.readings = [];
    this.mechanism.columns.forEach((column, k) => {
      if (column.body !== body) return;
      this.columns.push(k);
      const symbol = column.kind === 'v' ? 'v' : 'q';
      this.readings.push(add(joint.nq > 1 ? `${symbol} ${column.label}` : symbol, ''));
    });
    const buttons = make('nav');
    for (const action of this.actions) {
      const button = make('button', { title: action.hint, 'aria-pressed': String(action.pressed(body)) }, action.label);
      button.onclick = () => {
        action.act(body);
        button.setAttribute('aria-pressed', String(action.pressed(body)));
      };
      buttons.append(button);
    }
    this.box.replaceChildren(make('h2', {}, name), list, buttons);
  }

  update(run: Run, t: number): void {
    this.columns.forEach((k, i) => {
      this.readings[i].textContent = `${shown(run.value(k, t), 6, 1)} ${this.mechanism.columns[k].unit}`;
    });
  }
}
