// Short ways to make and find elements.

export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page lacks #${id}`);
  return element as T;
}

/** Makes an element; what is a text stays a text, whatever it holds. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

/** A number with six digits, in the shortest way of writing it. */
export function digits(x: number, count = 6): string {
  if (!Number.isFinite(x)) return '–';
  const short = Number(x.toPrecision(count));
  const size = Math.abs(short);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? short.toExponential(2) : String(short);
}

/** The same for reading: with a minus sign, and 0 for what is noise beside numbers of this size. */
export function shown(x: number, count = 6, scale = 0): string {
  return digits(Math.abs(x) < 1e-12 * scale ? 0 : x, count).replaceAll('-', '\u2212');
}

export function save(blob: Blob, name: string): void {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function fileName(title: string, ending: string): string {
  return `${title.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_|_$/g, '') || 'cardan'}.${ending}`;
}
