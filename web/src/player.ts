// The clock of the page: which instant is shown, and whether it runs on.
import { find } from './dom';
import type { Run } from './run';

const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Player {
  time = 0;
  playing = false;
  speed = 1;
  /** The user looks at an earlier instant of a live run: frames that are still on their way do not move the clock. */
  held = false;
  private last = 0;
  private readonly play = find<HTMLButtonElement>('play');
  private readonly scrub = find<HTMLInputElement>('scrub');
  private readonly clock = find<HTMLOutputElement>('clock');
  private readonly loop = find<HTMLInputElement>('loop');
  private readonly speeds = find<HTMLSelectElement>('speed');

  /** `changed` is called when another instant is to be shown; `asked` when the user asks for play, pause or a speed. */
  constructor(
    private run: Run,
    private readonly changed: () => void,
    private readonly asked: (what: 'play' | 'pause' | 'step' | 'speed') => boolean = () => false,
  ) {
    for (const speed of kSpeeds) this.speeds.add(new Option(`${speed}×`, String(speed), speed === 1, speed === 1));
    this.speeds.onchange = () => this.setSpeed(Number(this.speeds.value));
    this.play.onclick = () => this.toggle();
    this.scrub.oninput = () => {
      const live = this.play.classList.contains('playing') && !this.playing;
      this.held = live && this.asked('pause');
      this.seek(Number(this.scrub.value));
    };
    find('back').onclick = () => this.step(-1);
    find('forth').onclick = () => this.step(1);
    this.setRun(run);
  }

  setRun(run: Run): void {
    this.run = run;
    this.time = run.start;
    this.show();
  }

  toggle(): void {
    const pause = this.play.classList.contains('playing');
    if (!this.asked(pause ? 'pause' : 'play')) this.setPlaying(!pause);
  }
  setPlaying(on: boolean): void {
    if (on && !this.loop.checked && this.time >= this.run.end) this.time = this.run.start;
    this.playing = on && this.run.frames > 1;
    this.showPlaying(this.playing);
    this.last = performance.now();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }
  showPlaying(on: boolean): void {
    this.play.classList.toggle('playing', on);
    this.play.setAttribute('aria-label', on ? 'Pause' : 'Play');
  }

  /** Shows an instant and stays there. */
  seek(t: number): void {
    if (this.playing) this.setPlaying(false);
    this.time = Math.min(this.run.end, Math.max(this.run.start, t));
    this.show();
    this.changed();
  }
  step(frames: number): void {
    if (frames > 0 && this.asked('step')) return;
    const at = Math.min(this.run.frames - 1, Math.max(0, this.run.frameAt(this.time + 1e-12) + frames));
    if (this.run.frames) this.seek(this.run.times[at]);
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.speeds.value = String(speed);
    this.asked('speed');
  }
  changeSpeed(by: number): void {
    const at = kSpeeds.indexOf(this.speed) + by;
    if (kSpeeds[at]) this.setSpeed(kSpeeds[at]);
  }
  toggleLoop(): void {
    this.loop.checked = !this.loop.checked;
  }

  show(): void {
    this.scrub.min = String(this.run.start);
    this.scrub.max = String(this.run.end);
    this.scrub.value = String(this.time);
    this.clock.value = `${this.time.toFixed(3)} s`;
    this.scrub.setAttribute('aria-valuetext', this.clock.value);
  }

  private tick(now: number): void {
    if (!this.playing) return;
    this.time += (this.speed * Math.max(0, now - this.last)) / 1000;
    this.last = now;
    if (this.time >= this.run.end) {
      if (this.loop.checked) {
        const span = this.run.end - this.run.start;
        this.time = this.run.start + (span > 0 ? (this.time - this.run.start) % span : 0);
      } else {
        this.time = this.run.end;
        this.setPlaying(false);
      }
    }
    this.show();
    this.changed();
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }
}
