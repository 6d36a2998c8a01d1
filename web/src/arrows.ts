// Contact forces as thin arrows: one of each pair of opposite forces, and where a pair of bodies touches in many points
// their resultant. Lengths grow with the root of the force.
import * as THREE from 'three';
import type { Mechanism } from './data';
import { between, Instances, rodGeometry } from './instances';
import { kContactNumbers, type Run } from './run';
import { roundNumber } from './stage_notes';

/** A pair of bodies that touches in more points has one arrow. */
const kMostPoints = 4;

export interface Arrow {
  /** The body that the force acts on. */
  body: number;
  at: THREE.Vector3;
  force: THREE.Vector3;
  /** Points that it stands for. */
  points: THREE.Vector3[];
}
interface Contact {
  point: THREE.Vector3;
  force: THREE.Vector3;
  body: number;
  other: number;
}

/** Contacts of an instant, each once, with both of its bodies. */
function contactsOf(numbers: ArrayLike<number>): Contact[] {
  const out: Contact[] = [];
  const open = new Map<string, Contact[]>();
  for (let i = 0; i + kContactNumbers <= numbers.length; i += kContactNumbers) {
    const at = (k: number): number => numbers[i + k];
    const contact = { point: new THREE.Vector3(at(0), at(1), at(2)), force: new THREE.Vector3(at(3), at(4), at(5)), body: at(6), other: 0 };
    const key = [0, 1, 2, 3, 4, 5].map((k) => Math.abs(at(k))).join(' ');
    const same = open.get(key) ?? [];
    const pair = same.find((c) => c.other === 0 && c.body !== contact.body && c.force.x === -contact.force.x && c.force.y === -contact.force.y && c.force.z === -contact.force.z);
    if (pair) {
      pair.other = contact.body;
      continue;
    }
    open.set(key, [...same, contact]);
    out.push(contact);
  }
  return out;
}

/** The arrows of an instant: of each pair the force on the selected body, else on the upper one. */
export function arrowsOf(numbers: ArrayLike<number>, up: THREE.Vector3, selected: number): Arrow[] {
  const pairs = new Map<string, Contact[]>();
  for (const contact of contactsOf(numbers)) {
    const key = [contact.body, contact.other].sort((a, b) => a - b).join(' ');
    pairs.set(key, [...(pairs.get(key) ?? []), contact]);
  }
  const out: Arrow[] = [];
  for (const list of pairs.values()) {
    const { body, other } = list[0];
    const forceOn = (side: number, c: Contact): THREE.Vector3 => (c.body === side ? c.force.clone() : c.force.clone().negate());
    const lift = list.reduce((sum, c) => sum + forceOn(body, c).dot(up), 0);
    const side = other === 0 || selected === body ? body : selected === other ? other : lift >= 0 ? body : other;
    const single = list.map((c) => ({ body: side, at: c.point, force: forceOn(side, c), points: [c.point] }));
    out.push(...(list.length > kMostPoints ? [resultant(side, single)] : single));
  }
  return out;
}

function resultant(body: number, arrows: Arrow[]): Arrow {
  const force = new THREE.Vector3();
  const at = new THREE.Vector3();
  let weight = 0;
  for (const arrow of arrows) {
    const strength = arrow.force.length();
    force.add(arrow.force);
    at.addScaledVector(arrow.at, strength);
    weight += strength;
  }
  return { body, at: at.divideScalar(weight || 1), force, points: arrows.map((arrow) => arrow.at) };
}

/** Draws twice what is hidden behind bodies only faintly. */
interface Seen {
  front: Instances;
  behind: THREE.InstancedMesh;
}

export class ContactArrows {
  readonly group = new THREE.Group();
  private sets: Record<'rods' | 'heads' | 'dots', Seen> | undefined;
  private capacity = 0;
  private dotCapacity = 0;
  private reference = 0; // N: a force that is drawn at its usual length
  private looked = -1;
  private color = '#e5484d';
  drawn: Arrow[] = [];

  constructor(
    private readonly size: number,
    private readonly up: THREE.Vector3,
    mechanism: Mechanism,
  ) {
    const mass = mechanism.bodies.reduce((sum, body) => sum + body.mass, 0) / Math.max(1, mechanism.bodies.length);
    this.reference = Math.max(1e-9, mass * (Math.hypot(...mechanism.gravity) || 9.81));
  }

  dispose(): void {
    this.clear();
    this.group.removeFromParent();
  }
  private clear(): void {
    for (const { front, behind } of Object.values(this.sets ?? {})) {
      (behind.material as THREE.Material).dispose();
      front.dispose();
    }
    this.group.clear();
  }

  setColor(color: string): void {
    this.color = color;
    for (const { front, behind } of Object.values(this.sets ?? {}))
      for (const mesh of [front.mesh, behind]) (mesh.material as THREE.MeshBasicMaterial).color.set(color);
  }

  /** How long a force is drawn, in meters. */
  lengthOf(force: number): number {
    return Math.min(0.3, 0.13 * Math.sqrt(force / this.reference)) * this.size;
  }

  /** A round force near those that are usual. */
  usual(): number {
    return roundNumber(this.reference);
  }

  /** Scales to the forces that are usual in the run: nearly all are no longer than usual. */
  scaleTo(run: Run): void {
    if (this.looked >= 0 && run.frames < 2 * this.looked) return;
    this.looked = run.frames;
    const forces: number[] = [];
    for (let i = 0; i < run.frames; i += Math.max(1, Math.floor(run.frames / 50)))
      for (const { force } of arrowsOf(run.contacts(run.times[i]), this.up, 0)) forces.push(force.length());
    forces.sort((a, b) => a - b);
    if (forces.length > 3) this.reference = Math.max(1e-9, forces[Math.floor(0.8 * (forces.length - 1))]);
  }

  update(run: Run, t: number, selected: number): void {
    this.drawn = arrowsOf(run.contacts(t), this.up, selected);
    const dots = this.drawn.flatMap((arrow) => arrow.points);
    if (this.drawn.length > this.capacity || dots.length > this.dotCapacity) this.make(2 * this.drawn.length, 2 * dots.length);
    if (!this.sets) return;
    const { rods, heads, dots: balls } = this.sets;
    const matrix = new THREE.Matrix4();
    for (let i = 0; i < this.capacity; ++i) {
      const arrow = this.drawn[i];
      const strength = arrow?.force.length() ?? 0;
      if (!arrow || strength === 0) {
        rods.front.hide(i);
        heads.front.hide(i);
        continue;
      }
      const length = this.lengthOf(strength);
      const head = Math.min(0.022 * this.size, 0.5 * length);
      const along = arrow.force.clone().divideScalar(strength);
      const neck = arrow.at.clone().addScaledVector(along, length - head);
      rods.front.set(i, between(arrow.at, neck, 0.0014 * this.size, matrix));
      heads.front.set(i, between(neck, arrow.at.clone().addScaledVector(along, length), 0.3 * head, matrix));
    }
    const radius = 0.0038 * this.size;
    for (let i = 0; i < this.dotCapacity; ++i)
      if (dots[i]) balls.front.set(i, matrix.makeScale(radius, radius, radius).setPosition(dots[i]));
      else balls.front.hide(i);
    for (const { front } of Object.values(this.sets)) front.done();
  }

  private make(arrows: number, dots: number): void {
    this.clear();
    this.capacity = Math.max(16, arrows);
    this.dotCapacity = Math.max(16, dots);
    const set = (geometry: THREE.BufferGeometry, count: number): Seen => {
      const material = (behind: boolean): THREE.Material =>
        new THREE.MeshBasicMaterial({ color: this.color, transparent: true, opacity: behind ? 0.25 : 1, depthTest: !behind, depthWrite: !behind });
      const front = new Instances(geometry, count, material(false), false);
      const behind = new THREE.InstancedMesh(geometry, material(true), count);
      behind.instanceMatrix = front.mesh.instanceMatrix;
      behind.frustumCulled = false;
      behind.renderOrder = 4;
      front.mesh.renderOrder = 5;
      this.group.add(behind, front.mesh);
      return { front, behind };
    };
    const cone = new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.sets = {
      rods: set(rodGeometry(8), this.capacity),
      heads: set(cone, this.capacity),
      dots: set(new THREE.SphereGeometry(1, 10, 8), this.dotCapacity),
    };
  }
}
