// Pictures, and videos of what a live page shows.
import { fileName, save } from './dom';
import type { Stage } from './stage';

/** The picture of this instant in any size; `transparent`: without sky and floor, but with shadows. */
export async function pictureOf(stage: Stage, size: { width: number; height: number; transparent?: boolean }): Promise<Blob> {
  stage.setFixedSize(size);
  stage.setTransparent(size.transparent === true);
  try {
    stage.drawNow();
    const blob = await new Promise<Blob | null>((done) => stage.canvas.toBlob(done, 'image/png'));
    if (!blob) throw new Error(`this browser cannot draw a picture of ${size.width} x ${size.height}`);
    return blob;
  } finally {
    stage.setTransparent(false);
    stage.setFixedSize(undefined);
  }
}

/** Saves a picture with twice the pixels of the stage. */
export async function savePicture(stage: Stage, title: string): Promise<void> {
  const { clientWidth, clientHeight } = stage.canvas;
  save(await pictureOf(stage, { width: 2 * clientWidth, height: 2 * clientHeight }), fileName(title, 'png'));
}

/** Records the canvas until `stop` is called; the video is then saved. Undefined where the browser cannot. */
export function recordVideo(canvas: HTMLCanvasElement, done: (video: Blob) => void): { stop: () => void } | undefined {
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find(
    (name) => 'MediaRecorder' in window && MediaRecorder.isTypeSupported(name),
  );
  if (!type) return undefined;
  const recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => done(new Blob(parts, { type: 'video/webm' }));
  recorder.start(250);
  return { stop: () => recorder.state !== 'inactive' && recorder.stop() };
}
