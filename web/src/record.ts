// Pictures and videos of what the canvas shows.
import { fileName, save } from './dom';

export function savePicture(canvas: HTMLCanvasElement, title: string): void {
  canvas.toBlob((blob) => blob && save(blob, fileName(title, 'png')), 'image/png');
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
