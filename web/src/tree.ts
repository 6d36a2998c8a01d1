// The list of bodies, indented as they carry one another, with search and visibility; and what is known of one of them.
import type { Bodies } from './bodies';
import { digits, find, make } from './dom';
import type { Mechanism } from './data';
import type { Run } from './run';

export class Tree {
  private readonly list = find('tree');
  private readonly search = find<HTMLInputElement>('search');
  private readonly rows: HTMLLIElement[] = [];

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
      row.style.paddingLeft = `${4 + 10 * Math.min(depth, 8)}px`;
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
    for (let next = open.pop(); next; next = open.pop()) {
      add(...next);
      for (const child of [...(children.get(next[0]) ?? [])].reverse()) open.push([child, next[1] + 1]);
    }
    if (this.rows.length) (this.list.firstElementChild as HTMLElement).tabIndex = 0;
    this.search.oninput = () => this.filter();
    this.list.onkeydown = (event) => this.walk(event);
    this.filter();
  }

  mark(body: number): void {
    this.rows.forEach((row, i) => row.setAttribute('aria-selected', String(i !== 0 && i === body)));
    this.rows[body]?.scrollIntoView({ block: 'nearest' });
  }

  private filter(): void {
    const wanted = this.search.value.toLowerCase();
    this.rows.forEach((row, body) => {
      row.hidden = !this.namesOf(body).some((text) => text.toLowerCase().includes(wanted));
    });
  }

  /** What a body is called, and what holds it; what is fixed to the world is called by its frame there. */
  private namesOf(body: number): [string, string, ...string[]] {
    if (body === 0) return [this.mechanism.frames.find((frame) => frame.body === 0)?.name ?? 'world', 'fixed to the world'];
    const { name, joint } = this.mechanism.bodies[body - 1];
    return [name, `${joint.type} joint`, joint.name];
  }

  /** Arrow keys move along the list. */
  private walk(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    event.stopPropagation();
    const shown = [...this.list.children].filter((row) => !(row as HTMLElement).hidden) as HTMLLIElement[];
    const at = shown.indexOf(document.activeElement as HTMLLIElement) + (event.key === 'ArrowDown' ? 1 : -1);
    const row = shown[Math.min(shown.length - 1, Math.max(0, at))];
    row?.focus();
    if (row) this.select(this.rows.indexOf(row));
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
    add('mass', `${digits(mass)} kg`);
    add('joint', joint.name === name ? joint.type : `${joint.name} (${joint.type})`);
    add('on', parent === 0 ? 'world' : this.mechanism.bodies[parent - 1].name);
    this.columns = [];
    this.readings = [];
    this.mechanism.columns.forEach((column, k) => {
      if (column.body !== body) return;
      this.columns.push(k);
      const end = column.name.match(/\.\d+$/)?.[0] ?? '';
      this.readings.push(add(`${column.kind}${joint.nq > 1 ? end : ''}`, ''));
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
      this.readings[i].textContent = `${digits(run.value(k, t))} ${this.mechanism.columns[k].unit}`;
    });
  }
}
