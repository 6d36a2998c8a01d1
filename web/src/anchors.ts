// What the world holds a mechanism by: brackets at hinges, rails at sliders, studs where lines and loops are fastened.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import type { Mechanism } from './data';
import { Instances } from './instances';
import type { Run } from './run';

/** Frames of a run that are looked at for how far a slider goes. */
const kLooks = 60;

interface Block {
  kind: 'box' | 'pin' | 'stud';
  matrix: THREE.Matrix4;
}

/** A block about a point: `along` is its length, with `across` as its second direction. */
function block(kind: Block['kind'], middle: THREE.Vector3, along: THREE.Vector3, across: THREE.Vector3, size: [number, number, number]): Block {
  const z = along.clone().normalize();
  const x = across.clone().addScaledVector(z, -across.dot(z)).normalize();
  const y = new THREE.Vector3().crossVectors(z, x);
  return { kind, matrix: new THREE.Matrix4().makeBasis(x, y, z).setPosition(middle).scale(new THREE.Vector3(...size)) };
}

function anyAcross(axis: THREE.Vector3): THREE.Vector3 {
  const x = Math.abs(axis.x) < 0.7 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  return x.addScaledVector(axis, -x.dot(axis)).normalize();
}

export class Anchors {
  readonly group = new THREE.Group();
  private readonly sets: Instances[] = [];
  private readonly materials: THREE.MeshStandardMaterial[] = [];
  readonly count: number;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly bodies: Bodies,
    private readonly run: Run,
    private readonly thickness: number,
    private readonly size: number,
    private readonly up: THREE.Vector3,
  ) {
    const blocks = this.blocks();
    this.count = blocks.length;
    const geometries: Record<Block['kind'], () => THREE.BufferGeometry> = {
      box: () => new THREE.BoxGeometry(1, 1, 1),
      pin: () => new THREE.CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2),
      stud: () => new THREE.SphereGeometry(1, 20, 12),
    };
    for (const kind of ['box', 'pin', 'stud'] as const) {
      const own = blocks.filter((b) => b.kind === kind);
      if (!own.length) continue;
      const material = new THREE.MeshStandardMaterial({ roughness: 0.6, metalness: 0 });
      const set = new Instances(geometries[kind](), own.length, material);
      own.forEach((b, i) => set.set(i, b.matrix));
      set.done();
      this.materials.push(material);
      this.sets.push(set);
      this.group.add(set.mesh);
    }
  }

  dispose(): void {
    for (const set of this.sets) set.dispose();
    this.group.removeFromParent();
  }
  setColor(color: number): void {
    for (const material of this.materials) material.color.set(color);
  }

  private blocks(): Block[] {
    const out: Block[] = [];
    const shapes = this.worldBox();
    this.mechanism.bodies.forEach(({ parent, joint }, i) => {
      const axis = joint.axes[0];
      if (parent !== 0 || !axis) return;
      const world = this.bodies.world[i + 1];
      const at = new THREE.Vector3(...axis.at).applyMatrix4(world);
      const direction = new THREE.Vector3(...axis.direction).transformDirection(world);
      // what the scene draws there itself is its frame
      if (!shapes.isEmpty() && shapes.distanceToPoint(at) < 2 * this.thickness) return;
      if (axis.kind === 'turn') out.push(...this.bracket(at, direction));
      else out.push(this.rail(i, new THREE.Vector3().setFromMatrixPosition(world), direction));
    });
    const fastened = [
      ...this.mechanism.loops.flatMap((loop) => [loop.a, loop.b]),
      ...this.mechanism.lines.flatMap((line) => line.points),
    ].filter((p) => p.body === 0);
    const known: THREE.Vector3[] = [];
    for (const p of fastened) {
      const at = new THREE.Vector3(...p.at);
      if (known.some((other) => other.distanceTo(at) < this.thickness)) continue;
      known.push(at);
      out.push({ kind: 'stud', matrix: new THREE.Matrix4().makeScale(this.thickness, this.thickness, this.thickness).setPosition(at) });
    }
    return out;
  }

  private worldBox(): THREE.Box3 {
    return this.mechanism.shapes.some((shape) => shape.body === 0 && !shape.wrap) ? this.bodies.boxes()[0] : new THREE.Box3();
  }

  /** A pin in two cheeks on a foot that points down; under a pin that stands upright a disc. */
  private bracket(at: THREE.Vector3, axis: THREE.Vector3): Block[] {
    const t = 0.75 * this.thickness;
    const down = this.up.clone().negate();
    down.addScaledVector(axis, -down.dot(axis));
    if (down.length() < 0.3) {
      const foot = at.clone().addScaledVector(this.up, -2 * t);
      return [block('pin', foot, this.up, anyAcross(this.up), [2.6 * t, 2.6 * t, 1.2 * t])];
    }
    down.normalize();
    const out = [block('pin', at, axis, anyAcross(axis), [0.75 * t, 0.75 * t, 5.4 * t])];
    for (const side of [-1, 1]) {
      const cheek = at.clone().addScaledVector(axis, 2.2 * side * t).addScaledVector(down, 1.3 * t);
      out.push(block('box', cheek, axis, down, [4.4 * t, 2.6 * t, 0.7 * t]));
    }
    const foot = at.clone().addScaledVector(down, 3.6 * t);
    out.push(block('box', foot, axis, down, [0.9 * t, 6 * t, 6.2 * t]));
    return out;
  }

  /** A bar along the way of a slider, as far as it goes. */
  private rail(body: number, at: THREE.Vector3, axis: THREE.Vector3): Block {
    let [low, high] = [0, 0];
    const every = Math.max(1, Math.floor(this.run.frames / kLooks));
    for (let frame = 0; frame < this.run.frames; frame += every) {
      const way = new THREE.Vector3().fromArray(this.run.place(frame, body)).sub(at).dot(axis);
      [low, high] = [Math.min(low, way), Math.max(high, way)];
    }
    const room = this.run.frames > 1 ? 5 * this.thickness : 0.3 * this.size;
    [low, high] = [Math.max(low, -this.size) - room, Math.min(high, this.size) + room];
    const middle = at.clone().addScaledVector(axis, (low + high) / 2);
    return block('box', middle, axis, anyAcross(axis), [1.5 * this.thickness, 1.5 * this.thickness, high - low]);
  }
}
