// Films of a run, frame by frame: every frame is drawn, however long that takes, and encoded by the browser (WebCodecs).
import { mp4File, type EncodedFrame } from './mp4';
import type { Viewer } from './viewer';
import { webmFile } from './webm';

export interface FilmOrder {
  kind: 'mp4' | 'webm';
  /** The first instant and the end of what is shown, in seconds of the run. */
  from: number;
  to: number;
  /** Seconds of the run in a second of the film. */
  speed: number;
  fps: number;
  width: number;
  height: number;
}

/** Levels of H.264 by what they can decode: pixels of a frame, pixels of a second. */
const kLevels: [string, number, number][] = [
  ['1f', 921_600, 27_648_000],
  ['28', 2_097_152, 62_914_560],
  ['2a', 2_228_224, 133_693_440],
  ['33', 9_437_184, 251_658_240],
  ['34', 9_437_184, 530_841_600],
];

function codecOf({ kind, width, height, fps }: FilmOrder): string {
  if (kind === 'webm') return 'vp09.00.51.08';
  const pixels = width * height;
  const level = kLevels.find(([, frame, second]) => pixels <= frame && pixels * fps <= second);
  return `avc1.6400${level?.[0] ?? '34'}`;
}

async function configurationOf(order: FilmOrder): Promise<VideoEncoderConfig> {
  const { width, height, fps } = order;
  if (!('VideoEncoder' in window)) throw new Error('this browser has no WebCodecs, which encode films');
  const bitrate = Math.round(Math.min(40e6, Math.max(2e6, 0.12 * width * height * fps)));
  const config: VideoEncoderConfig = { codec: codecOf(order), width, height, bitrate, framerate: fps };
  if (order.kind === 'mp4') config.avc = { format: 'avc' };
  const { supported } = await VideoEncoder.isConfigSupported(config);
  if (!supported) throw new Error(`this browser does not encode ${order.kind === 'mp4' ? 'H.264' : 'VP9'} at ${width} x ${height}`);
  return config;
}

/** The kind of film that this browser can make, MP4 before WebM; none where it can make neither. */
export async function kindOfFilm(width: number, height: number, fps: number): Promise<FilmOrder['kind'] | undefined> {
  for (const kind of ['mp4', 'webm'] as const)
    try {
      await configurationOf({ kind, width, height, fps, from: 0, to: 1, speed: 1 });
      return kind;
    } catch {
      // the next one
    }
  return undefined;
}

/** Draws and encodes a film; `told` hears of every frame and may say no, which ends it with what there is. */
export async function makeFilm(viewer: Viewer, order: FilmOrder, told: (share: number) => boolean = () => true): Promise<Blob> {
  const config = await configurationOf(order);
  const frames: EncodedFrame[] = [];
  let description = new Uint8Array();
  let failure: Error | undefined;
  const encoder = new VideoEncoder({
    output(chunk, about) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, key: chunk.type === 'key' });
      const told = about?.decoderConfig?.description;
      if (told) description = new Uint8Array((ArrayBuffer.isView(told) ? told.buffer.slice(told.byteOffset, told.byteOffset + told.byteLength) : told.slice(0)) as ArrayBuffer);
    },
    error: (error) => (failure = error),
  });
  encoder.configure(config);
  const { fps, width, height, from, to, speed } = order;
  const count = Math.max(1, Math.round(((to - from) / speed) * fps));
  const before = viewer.player.time;
  viewer.stage.setFixedSize({ width, height });
  try {
    for (let i = 0; i < count && !failure; ++i) {
      viewer.player.seek(from + (i * speed) / fps);
      viewer.stage.drawNow();
      const frame = new VideoFrame(viewer.stage.canvas, { timestamp: Math.round((1e6 * i) / fps), duration: Math.round(1e6 / fps) });
      encoder.encode(frame, { keyFrame: i % (2 * Math.ceil(fps)) === 0 });
      frame.close();
      if (!told((i + 1) / count)) break;
      // the page stays alive, and the encoder keeps up
      do await new Promise((done) => setTimeout(done));
      while (encoder.encodeQueueSize > 4);
    }
    if (!failure) await encoder.flush();
  } finally {
    if (encoder.state !== 'closed') encoder.close();
    viewer.stage.setFixedSize(undefined);
    viewer.player.seek(before);
  }
  if (failure) throw failure;
  return order.kind === 'mp4' ? mp4File({ width, height, fps, description, frames }) : webmFile({ width, height, fps, frames });
}
