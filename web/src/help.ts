// The list of keys and gestures.
import { find, make } from './dom';

const kKeys: [string, string][] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame back or on; with Shift ten'],
  ['Home, End', 'first or last frame'],
  ['[ ]', 'slower, faster'],
  ['L', 'begin again at the end, or not'],
  ['0 1 2 3', 'whole motion, front, side, from above'],
  ['5', 'with perspective, or lengths as they are'],
  ['F', 'follow the selected body'],
  ['T', 'trace of the selected body'],
  ['G A C X', 'ground, joint axes, centers of mass, frames'],
  ['/', 'search bodies'],
  ['Esc', 'select nothing'],
  ['D', 'dark or light'],
  ['P, V', 'save a picture, record a video'],
  ['H or ?', 'this list'],
];
const kGestures: [string, string][] = [
  ['drag', 'turn the view (one finger)'],
  ['right drag', 'move the view (two fingers)'],
  ['scroll', 'come nearer or go away (pinch)'],
  ['click', 'select a body; click a plot to go to that instant'],
];

export function showHelp(live: boolean): void {
  const dialog = find<HTMLDialogElement>('keys');
  const gestures = live
    ? [...kGestures, ['Shift and drag', 'pull at a body with a spring; or press Pull first'] as [string, string]]
    : kGestures;
  const rows = (list: [string, string][]): HTMLTableElement =>
    make('table', {}, ...list.map(([key, what]) => make('tr', {}, make('td', {}, key), make('td', {}, what))));
  const close = make('button', {}, 'Close');
  close.onclick = () => dialog.close();
  dialog.replaceChildren(make('h2', {}, 'Keys'), rows(kKeys), make('h2', { style: 'margin-top:14px' }, 'Mouse and fingers'), rows(gestures), make('p', { style: 'text-align:right;margin:14px 0 0' }, close));
  dialog.showModal();
}
