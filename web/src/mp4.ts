// Puts encoded frames into an MP4 file (ISO/IEC 14496-12): one video track, its index before its data.

export interface EncodedFrame {
  data: Uint8Array;
  key: boolean;
}
export interface Track {
  width: number;
  height: number;
  fps: number;
  /** avcC of H.264, as the encoder describes it. */
  description: Uint8Array;
  frames: EncodedFrame[];
}

/** Ticks of a second: every usual rate of frames is a whole number of them. */
const kTicks = 90_000;

const text = (letters: string): number[] => [...letters].map((c) => c.charCodeAt(0));
const u16 = (x: number): number[] => [(x >> 8) & 255, x & 255];
const u32 = (x: number): number[] => [(x >>> 24) & 255, (x >>> 16) & 255, (x >>> 8) & 255, x & 255];
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

function box(name: string, ...inside: (number[] | Uint8Array)[]): number[] {
  const content = inside.flatMap((part) => Array.from(part));
  return [...u32(8 + content.length), ...text(name), ...content];
}
/** A box with version and flags. */
const full = (name: string, flags: number, ...inside: (number[] | Uint8Array)[]): number[] => box(name, u32(flags), ...inside);

const kUnit = [...u32(0x10000), ...zeros(12), ...u32(0x10000), ...zeros(12), ...u32(0x40000000)]; // the matrix that changes nothing

function sampleTable(track: Track, firstByte: number): number[] {
  const { width, height, frames, description } = track;
  const step = Math.round(kTicks / track.fps);
  const keys = frames.flatMap(({ key }, i) => (key ? [i + 1] : []));
  const entry = box('avc1', zeros(6), u16(1), zeros(16), u16(width), u16(height), u32(0x480000), u32(0x480000), zeros(4), u16(1), zeros(32), u16(24), u16(0xffff), box('avcC', description));
  return box(
    'stbl',
    full('stsd', 0, u32(1), entry),
    full('stts', 0, u32(1), u32(frames.length), u32(step)),
    full('stss', 0, u32(keys.length), keys.flatMap(u32)),
    full('stsc', 0, u32(1), u32(1), u32(frames.length), u32(1)),
    full('stsz', 0, u32(0), u32(frames.length), frames.flatMap(({ data }) => u32(data.length))),
    full('stco', 0, u32(1), u32(firstByte)),
  );
}

function movie(track: Track, firstByte: number): number[] {
  const length = track.frames.length * Math.round(kTicks / track.fps);
  const media = box(
    'mdia',
    full('mdhd', 0, zeros(8), u32(kTicks), u32(length), u16(0x55c4), u16(0)),
    full('hdlr', 0, zeros(4), text('vide'), zeros(12), text('film'), [0]),
    box('minf', full('vmhd', 1, zeros(8)), box('dinf', full('dref', 0, u32(1), full('url ', 1))), sampleTable(track, firstByte)),
  );
  const head = full('mvhd', 0, zeros(8), u32(kTicks), u32(length), u32(0x10000), u16(0x100), zeros(10), kUnit, zeros(24), u32(2));
  const place = full('tkhd', 3, zeros(8), u32(1), zeros(4), u32(length), zeros(16), kUnit, u32(track.width << 16), u32(track.height << 16));
  return box('moov', head, box('trak', place, media));
}

export function mp4File(track: Track): Blob {
  const type = box('ftyp', text('isom'), u32(0x200), text('isomiso2avc1mp41'));
  const index = movie(track, type.length + movie(track, 0).length + 8);
  const bytes = track.frames.reduce((sum, { data }) => sum + data.length, 0);
  const parts = [type, index, [...u32(bytes + 8), ...text('mdat')]].map((part) => new Uint8Array(part));
  return new Blob([...parts, ...track.frames.map(({ data }) => data)] as BlobPart[], { type: 'video/mp4' });
}
