// Puts encoded frames into a WebM file (Matroska): one video track, a cluster for every key frame.
import type { EncodedFrame } from './mp4';

/** The length of an element as eight bytes. */
function sizeOf(length: number): number[] {
  const out = [1];
  for (let k = 6; k >= 0; --k) out.push(Math.floor(length / 256 ** k) & 255);
  return out;
}
function numberOf(x: number): number[] {
  const out: number[] = [];
  for (let rest = x; rest > 0 || !out.length; rest = Math.floor(rest / 256)) out.unshift(rest & 255);
  return out;
}
function element(id: number, ...inside: (number[] | Uint8Array)[]): Uint8Array {
  const length = inside.reduce((sum, part) => sum + part.length, 0);
  const head = [...numberOf(id), ...sizeOf(length)];
  const out = new Uint8Array(head.length + length);
  out.set(head);
  let at = head.length;
  for (const part of inside) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
const text = (letters: string): number[] => [...letters].map((c) => c.charCodeAt(0));
function float(x: number): number[] {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, x);
  return [...bytes];
}

export interface WebmTrack {
  width: number;
  height: number;
  fps: number;
  frames: EncodedFrame[];
}

export function webmFile({ width, height, fps, frames }: WebmTrack): Blob {
  const head = element(0x1a45dfa3, element(0x4286, [1]), element(0x42f7, [1]), element(0x42f2, [4]), element(0x42f3, [8]), element(0x4282, text('webm')), element(0x4287, [4]), element(0x4285, [2]));
  const milliseconds = (frame: number): number => Math.round((1000 * frame) / fps);
  const info = element(0x1549a966, element(0x2ad7b1, numberOf(1_000_000)), element(0x4489, float((1000 * frames.length) / fps)), element(0x4d80, text('cardan')), element(0x5741, text('cardan')));
  const video = element(0xe0, element(0xb0, numberOf(width)), element(0xba, numberOf(height)));
  const tracks = element(0x1654ae6b, element(0xae, element(0xd7, [1]), element(0x73c5, [1]), element(0x83, [1]), element(0x86, text('V_VP9')), video));
  const clusters: Uint8Array[] = [];
  for (let first = 0; first < frames.length; ) {
    let end = first + 1;
    while (end < frames.length && !frames[end].key && milliseconds(end) - milliseconds(first) < 30_000) ++end;
    const blocks = frames.slice(first, end).map(({ data, key }, i) => {
      const after = milliseconds(first + i) - milliseconds(first);
      return element(0xa3, [0x81, after >> 8, after & 255, key ? 0x80 : 0], data);
    });
    clusters.push(element(0x1f43b675, element(0xe7, numberOf(milliseconds(first))), ...blocks));
    first = end;
  }
  return new Blob([head, element(0x18538067, info, tracks, ...clusters)] as BlobPart[], { type: 'video/webm' });
}
