// The line to `cardan view`: what the page asks for goes up as JSON, mechanism and frames come down.
import type { Mechanism } from './data';

export type Request =
  | { do: 'play' | 'pause' | 'step' | 'reset' | 'release' }
  | { do: 'speed'; value: number }
  | { do: 'coordinate'; index: number; value: number }
  | { do: 'parameter'; name: string; value: number | null }
  | { do: 'grab'; body: number; at: number[]; target: number[] }
  | { do: 'pull'; target: number[] }
  | { do: 'formula'; body: number; transform: string; let: Record<string, string>; parameters: Record<string, number> }
  | { do: 'open'; name: string; text: string };

/** Files and messages larger than this are refused by the server. */
export const kLargestMessage = 1_000_000;

export interface Listener {
  scene(mechanism: Mechanism, report: string): void;
  /** The scene with other parameters, whose motion goes on. */
  changed(mechanism: Mechanism, report: string): void;
  parameter(answer: { name: string; error: string }): void;
  frame(t: number, poses: Float64Array, values: Float64Array): void;
  state(state: { playing: boolean; fresh?: boolean }): void;
  problem(text: string): void;
  formula(answer: { body: number; field: string; column: number; error: string }): void;
  closed(): void;
}

export class Connection {
  private readonly socket: WebSocket;
  private bodies = 0;

  constructor(private readonly listener: Listener) {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    this.socket = new WebSocket(`ws://${location.host}/live?token=${encodeURIComponent(token)}`);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = (event) => (typeof event.data === 'string' ? this.text(event.data) : this.numbers(event.data));
    this.socket.onclose = () => listener.closed();
  }

  send(request: Request): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  private text(json: string): void {
    const message = JSON.parse(json);
    switch (message.is) {
      case 'scene':
        this.bodies = message.mechanism.bodies.length;
        return this.listener.scene(message.mechanism, message.report);
      case 'changed':
        this.bodies = message.mechanism.bodies.length;
        return this.listener.changed(message.mechanism, message.report);
      case 'parameter':
        return this.listener.parameter(message);
      case 'state':
        return this.listener.state(message);
      case 'problem':
        return this.listener.problem(message.text);
      case 'formula':
        return this.listener.formula(message);
    }
  }

  /** A frame: the time, seven numbers for each body, then those of columns, bent lines and contacts. */
  private numbers(bytes: ArrayBuffer): void {
    const all = new Float64Array(bytes);
    const poses = 1 + 7 * this.bodies;
    this.listener.frame(all[0], all.subarray(1, poses), all.subarray(poses));
  }
}
