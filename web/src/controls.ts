// What a live page can change: parameters and coordinates by sliders, formulas of invented joints by text.
import type { Connection } from './connection';
import { digits, find, make, shown } from './dom';
import type { FormulaInfo, Mechanism, ParameterInfo } from './data';
import type { Run } from './run';

const kTurn = 2 * Math.PI;

/** A coordinate with its unit; angles in degrees, too. */
function reading(value: number, unit: string): string {
  const number = shown(value, 4, 1);
  return unit === 'rad' ? `${number} rad ${shown(Math.round((1800 * value) / Math.PI) / 10, 5, 1)}\u00b0` : `${number} ${unit}`;
}

interface Slider {
  column: number;
  unit: string;
  limits: [number | null, number | null];
  /** It shows an angle without limits within one turn. */
  turns: boolean;
  value: number;
  input: HTMLInputElement;
  output: HTMLOutputElement;
  held: boolean;
}

/** How far a slider goes, once for all: to the joint's limits, else one turn, or a meter about where it starts. */
function rangeOf(limits: [number | null, number | null], unit: string, start: number): [number, number] {
  const reach = unit === 'm' ? 1 : Math.PI;
  const middle = unit === 'm' ? start : 0;
  return [limits[0] ?? middle - reach, limits[1] ?? middle + reach];
}

/** How far the slider of a parameter goes: from zero to twice its value. */
function rangeOfParameter(value: number): [number, number] {
  return value === 0 ? [-1, 1] : [Math.min(0, 2 * value), Math.max(0, 2 * value)];
}

interface Parameter {
  range: HTMLInputElement;
  box: HTMLInputElement;
  back: HTMLButtonElement;
}

export class Controls {
  private readonly place = find('move');
  private readonly parameters = new Map<string, Parameter>();
  private readonly parameterError = make('pre', { role: 'alert', class: 'problem' });
  /** The parameter whose answer is awaited, and what it is to become after that. */
  private asked: string | undefined;
  private next: { name: string; value: number | null } | undefined;
  private readonly sliders: Slider[] = [];
  private readonly errors = new Map<number, { output: HTMLElement; fields: Map<string, HTMLInputElement | HTMLTextAreaElement> }>();

  constructor(
    private mechanism: Mechanism,
    private readonly connection: Connection,
    select: (body: number) => void,
  ) {
    const reset = make('button', { title: 'Back to the start of the scene' }, 'Reset');
    reset.onclick = () => connection.send({ do: 'reset' });
    this.place.replaceChildren();
    if (mechanism.parameters?.length) {
      this.place.append(make('h2', {}, 'Parameters'), make('p', { class: 'hint' }, 'Numbers of the scene. The motion goes on with the new value.'));
      for (const parameter of mechanism.parameters) this.addParameter(parameter);
      this.place.append(this.parameterError);
      this.follow(mechanism);
    }
    this.place.append(
      make('h2', {}, 'Coordinates'),
      make('p', { class: 'hint' }, 'Drag a slider: the motion stops, and loops close again around the coordinate you hold.'),
    );
    mechanism.bodies.forEach((body, i) => {
      if (!body.joint.flat) return;
      for (let k = 0; k < body.joint.nv; ++k) this.addSlider(i + 1, k, select);
    });
    if (!this.sliders.length) this.place.append(make('p', { class: 'hint' }, 'No joint here has coordinates that can be set one by one.'));
    this.place.append(make('p', {}, reset));
    const formulas = mechanism.formulas ?? [];
    if (formulas.length) this.place.append(make('h2', {}, 'Invented joints'), make('p', { class: 'hint' }, 'The pose of the body as a function of its coordinates. It moves by your formula as soon as it makes sense.'));
    for (const formula of formulas) this.addFormula(formula);
  }

  /** Shows the values of the parameters, which others may follow. */
  follow(mechanism: Mechanism): void {
    this.mechanism = mechanism;
    for (const { name, value, set } of mechanism.parameters ?? []) {
      const known = this.parameters.get(name);
      if (!known) continue;
      known.back.hidden = !set;
      if (this.next?.name === name) continue; // the user is ahead
      if (value < Number(known.range.min)) known.range.min = String(value);
      if (value > Number(known.range.max)) known.range.max = String(value);
      known.range.value = String(value);
      if (document.activeElement !== known.box) known.box.value = digits(value);
    }
  }

  /** Says in place what is wrong with the value of a parameter; the scene then is as it was. */
  parameterAnswer(name: string, error: string): void {
    for (const [known, { box }] of this.parameters) box.setAttribute('aria-invalid', String(known === name && error !== ''));
    this.parameterError.textContent = error;
    this.asked = undefined;
    const next = this.next;
    this.next = undefined;
    if (next) this.askParameter(next.name, next.value);
  }

  /** One value at a time: while the server works on one, only the last of the others is kept. */
  private askParameter(name: string, value: number | null): void {
    if (this.asked !== undefined) {
      this.next = { name, value };
      return;
    }
    this.asked = name;
    this.connection.send({ do: 'parameter', name, value });
  }

  private addParameter({ name, value, text }: ParameterInfo): void {
    const [low, high] = rangeOfParameter(value);
    const range = make('input', { type: 'range', min: String(low), max: String(high), step: 'any', 'aria-label': `Parameter ${name}` });
    const box = make('input', { 'aria-label': `Value of ${name}`, inputmode: 'decimal', autocomplete: 'off' });
    const back = make('button', { title: 'As in the file', 'aria-label': `${name} as in the file` }, '↺');
    range.oninput = () => {
      box.value = digits(Number(range.value));
      this.askParameter(name, Number(range.value));
    };
    box.onchange = () => {
      const typed = Number(box.value);
      if (box.value.trim() !== '' && Number.isFinite(typed)) return this.askParameter(name, typed);
      box.setAttribute('aria-invalid', 'true');
      this.parameterError.textContent = `${name}: expected a number, found "${box.value}"`;
    };
    back.onclick = () => this.askParameter(name, null);
    this.parameters.set(name, { range, box, back });
    const follows = text ? `${name} = ${text}` : name;
    this.place.append(make('div', { class: 'slider parameter', title: follows }, make('span', {}, follows), range, box, back));
  }

  update(run: Run, t: number): void {
    for (const slider of this.sliders) {
      const value = run.value(slider.column, t);
      slider.value = value;
      if (!slider.held) slider.input.value = String(slider.turns ? value - kTurn * Math.round(value / kTurn) : value);
      slider.output.value = reading(value, slider.unit);
      slider.output.classList.toggle('limit', slider.limits.some((limit) => limit !== null && Math.abs(value - limit) < 1e-6));
    }
  }

  /** Shows what is wrong with a formula, under the text and with a mark at the place; or that all is well. */
  answer(body: number, field: string, column: number, error: string): void {
    const known = this.errors.get(body);
    if (!known) return;
    for (const [name, input] of known.fields) input.setAttribute('aria-invalid', String(error !== '' && name === field));
    if (!error) {
      known.output.textContent = '';
      return;
    }
    const text = known.fields.get(field)?.value ?? '';
    const from = Math.max(0, column - 24);
    const excerpt = text.slice(from, column + 16).replace(/\s/g, ' ');
    known.output.textContent = column > 0 ? `${excerpt}\n${' '.repeat(column - 1 - from)}^\n${error}` : error;
  }

  private addSlider(body: number, k: number, select: (body: number) => void): void {
    const { joint } = this.mechanism.bodies[body - 1];
    const column = joint.q + k; // columns begin with the coordinates
    const [low, high] = rangeOf(joint.limits[k], joint.units[k], 0);
    const name = joint.nv > 1 ? `${joint.name}.${k}` : joint.name;
    const input = make('input', { type: 'range', min: String(low), max: String(high), step: 'any', 'aria-label': `Coordinate ${name}` });
    const output = make('output');
    const unit = joint.units[k];
    const limits = joint.limits[k];
    const turns = unit === 'rad' && limits.every((limit) => limit === null);
    const slider: Slider = { column, unit, limits, turns, value: 0, input, output, held: false };
    input.oninput = () => {
      slider.held = true;
      // of a joint that has turned often, the same angle in the turn that it is in
      const asked = Number(input.value) + (turns ? kTurn * Math.round((slider.value - Number(input.value)) / kTurn) : 0);
      this.connection.send({ do: 'coordinate', index: column, value: asked });
    };
    input.onchange = () => (slider.held = false);
    const [least, most] = limits.map((limit) => (limit === null ? '' : shown(limit, 4)));
    const range = least || most ? `, limits ${least || '\u2212\u221e'} to ${most || '\u221e'} ${unit}` : '';
    const label = make('label', { class: 'slider', title: `${name}${unit ? ` in ${unit}` : ''}${range}` }, make('span', {}, name), input, output);
    label.addEventListener('pointerdown', () => select(body));
    this.sliders.push(slider);
    this.place.append(label);
  }

  private addFormula(formula: FormulaInfo): void {
    const name = this.mechanism.bodies[formula.body - 1].name;
    const output = make('pre', { role: 'alert' });
    const fields = new Map<string, HTMLInputElement | HTMLTextAreaElement>();
    const box = make('div', { class: 'formula', 'data-body': name }, make('strong', {}, `${name}(${formula.coordinates.join(', ')})`));
    let waiting = 0;
    const changed = (): void => {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => this.sendFormula(formula, fields), 200);
    };
    const row = (label: string, key: string, value: string): void => {
      const input = make('input', { value, spellcheck: 'false', autocomplete: 'off' });
      input.oninput = changed;
      fields.set(key, input);
      box.append(make('label', { class: 'row' }, `${label} =`, input));
    };
    for (const [parameter, value] of formula.parameters) row(parameter, `parameter ${parameter}`, String(value));
    for (const [helper, text] of formula.let) row(helper, `let ${helper}`, text);
    const text = make('textarea', { spellcheck: 'false', 'aria-label': `Formula of ${name}` }, formula.transform);
    text.oninput = changed;
    fields.set('transform', text);
    this.errors.set(formula.body, { output, fields });
    box.append(text, output);
    this.place.append(box);
  }

  private sendFormula(formula: FormulaInfo, fields: Map<string, HTMLInputElement | HTMLTextAreaElement>): void {
    const parameters: Record<string, number> = {};
    const helpers: Record<string, string> = {};
    for (const [name] of formula.parameters) {
      const text = fields.get(`parameter ${name}`)!.value.trim();
      const value = Number(text);
      if (text === '' || !Number.isFinite(value)) return this.answer(formula.body, `parameter ${name}`, 0, `${name}: expected a number, found "${text}"`);
      parameters[name] = value;
    }
    for (const [name] of formula.let) helpers[name] = fields.get(`let ${name}`)!.value;
    this.connection.send({ do: 'formula', body: formula.body, transform: fields.get('transform')!.value, let: helpers, parameters });
  }
}
