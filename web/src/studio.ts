// Draws what `cardan picture` and `cardan film` ask for, and hands it to the command behind the page.
import { makeFilm, type FilmOrder } from './film';
import { pictureOf } from './record';
import type { Viewer } from './viewer';

/** What the command orders: a picture at an instant, or a film. */
export type StudioOrder = (Omit<FilmOrder, 'kind'> & { kind: 'png' | FilmOrder['kind'] }) & { dark: boolean; transparent: boolean };

/** Bytes of a message: as base64 far below what the server takes. */
const kPiece = 300_000;

async function drawn(viewer: Viewer, order: StudioOrder, told: (share: number) => boolean): Promise<Blob> {
  viewer.setTheme(order.dark ? 'dark' : 'light');
  if (order.kind !== 'png') return makeFilm(viewer, order as FilmOrder, told);
  viewer.player.seek(order.from);
  return pictureOf(viewer.stage, order);
}

async function base64(bytes: Blob): Promise<string> {
  const reader = new FileReader();
  const url = await new Promise<string>((done) => {
    reader.onload = () => done(String(reader.result));
    reader.readAsDataURL(bytes);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** Does what the page was opened for; the command ends the browser after that. */
export function work(viewer: Viewer, order: StudioOrder): void {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const socket = new WebSocket(`ws://${location.host}/live?token=${encodeURIComponent(token)}`);
  const send = (message: object): void => socket.send(JSON.stringify(message));
  socket.onopen = async () => {
    try {
      const result = await drawn(viewer, order, (share) => (send({ do: 'progress', share }), true));
      for (let at = 0; at < result.size; at += kPiece) send({ do: 'piece', data: await base64(result.slice(at, at + kPiece)) });
      send({ do: 'done' });
    } catch (error) {
      send({ do: 'failed', why: error instanceof Error ? error.message : String(error) });
    }
  };
}
