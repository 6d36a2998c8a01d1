// What the camera is to show: the room that 80 % of a motion's instants fill, and whether it goes along.
import * as THREE from 'three';
import type { Bodies } from './bodies';
import type { Mechanism } from './data';
import type { Run } from './run';

/** Instants that are looked at. */
const kLooks = 60;
/** A body that is farther from the others than this many sizes of the mechanism has left it. */
const kLost = 2;
/** A mechanism that travels farther than this many of its sizes is followed. */
const kTravel = 1.1;
/** The first instant is shown, too, where the picture does not grow by more than this. */
const kFirstMost = 1.5;
/** More corners are not looked at. */
const kMostCorners = 20_000;
/** Share of the instants that the picture is for. */
const kShare = 0.8;

export interface Framing {
  /** What is to be seen; where a body is followed, around where that body is now. */
  box: THREE.Box3;
  /** Corners of what is in it, from its middle. */
  points: THREE.Vector3[];
  /** The size of the mechanism itself, in an instant. */
  size: number;
  /** The body that the camera goes with; 0: none. */
  follow: number;
  /** Whether it also goes up and down with that body; else only along the ground. */
  upright: boolean;
  /** Bodies that leave the others behind, as an arrow its bow. */
  lost: Set<number>;
}

interface Look {
  boxes: THREE.Box3[]; // of the bodies, the world first
}

/** Instants of a run, evenly over its time. */
export function looksAt(run: Run): number[] {
  const count = Math.min(kLooks, run.frames);
  return Array.from({ length: count }, (_, i) => run.start + (i * (run.end - run.start)) / Math.max(1, count - 1));
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
function middleOf(boxes: THREE.Box3[]): THREE.Vector3 {
  const centers = boxes.filter((box) => !box.isEmpty()).map((box) => box.getCenter(new THREE.Vector3()));
  return new THREE.Vector3(median(centers.map((c) => c.x)), median(centers.map((c) => c.y)), median(centers.map((c) => c.z)));
}
const lengthOf = (box: THREE.Box3): number => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());

/** The union of a look's boxes but for those that are lost and the world's. */
export function unionOf(boxes: THREE.Box3[], lost: Set<number>): THREE.Box3 {
  const out = new THREE.Box3();
  boxes.forEach((box, body) => {
    if (body !== 0 && !lost.has(body)) out.union(box);
  });
  return out;
}

/** Bodies that are far from the others in a fifth of the looks or more; none where these are most of them. */
function lostBodies(looks: Look[], size: number): Set<number> {
  const count = looks[0].boxes.length;
  const far = new Array<number>(count).fill(0);
  for (const { boxes } of looks) {
    const middle = middleOf(boxes.slice(1));
    boxes.forEach((box, body) => {
      if (body && !box.isEmpty() && box.distanceToPoint(middle) > kLost * size) ++far[body];
    });
  }
  const lost = new Set(far.flatMap((n, body) => (n > (1 - kShare) * looks.length ? [body] : [])));
  return lost.size > (count - 1) / 3 ? new Set() : lost;
}

/** The instants of this share whose boxes are nearest to what is usual: those that reach farthest out are left aside. */
function usualInstants(boxes: THREE.Box3[]): number[] {
  const all = boxes.filter((box) => !box.isEmpty());
  if (!all.length) return [];
  const axes = ['x', 'y', 'z'] as const;
  const low = axes.map((k) => median(all.map((box) => box.min[k])));
  const high = axes.map((k) => median(all.map((box) => box.max[k])));
  const reach = (box: THREE.Box3): number => Math.max(...axes.map((k, i) => Math.max(low[i] - box.min[k], box.max[k] - high[i])));
  const sorted = boxes.map((_, i) => i).filter((i) => !boxes[i].isEmpty()).sort((i, j) => reach(boxes[i]) - reach(boxes[j]));
  const kept = sorted.slice(0, Math.ceil((kShare + 0.05) * sorted.length));
  const out = new THREE.Box3();
  for (const i of kept) out.union(boxes[i]);
  // the beginning belongs to it where that does not make all else small
  const withFirst = out.clone().union(all[0]);
  return lengthOf(withFirst) < kFirstMost * lengthOf(out) ? [...kept, sorted.reduce((a, b) => Math.min(a, b))] : kept;
}

/** Corners of the bodies' boxes at these instants, or of some instants where there are very many bodies. */
function cornersAt(looks: Look[], kept: number[], shifts: THREE.Vector3[], lost: Set<number>): THREE.Vector3[] {
  const every = Math.max(1, Math.ceil((kept.length * looks[0].boxes.length * 8) / kMostCorners));
  const out: THREE.Vector3[] = [];
  kept.forEach((i, k) => {
    if (k % every === 0)
      looks[i].boxes.forEach((box, body) => {
        if (body && !lost.has(body) && !box.isEmpty()) for (const corner of cornersOf(box)) out.push(corner.add(shifts[i]));
      });
  });
  return out;
}

export function cornersOf(box: THREE.Box3): THREE.Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => new THREE.Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z),
  );
}

/** Whether something of the world holds the mechanism: a joint, a line of force, a loop. */
function isHeld(mechanism: Mechanism): boolean {
  const kHeld = /^(revolute|prismatic|helical|cylindrical|universal|spherical|spherical_euler|spherical_exponential)$/;
  const held = ({ parent, joint }: Mechanism['bodies'][number]): boolean => parent === 0 && kHeld.test(joint.type);
  return (
    mechanism.bodies.some(held) ||
    mechanism.lines.some((line) => line.points.some((p) => p.body === 0)) ||
    mechanism.loops.some((loop) => loop.a.body === 0 || loop.b.body === 0)
  );
}

/** The body that stays nearest to the middle of all. */
function central(looks: Look[]): number {
  const off = looks[0].boxes.map(() => 0);
  for (const { boxes } of looks) {
    const middle = middleOf(boxes.slice(1));
    boxes.forEach((box, body) => {
      if (body) off[body] += box.isEmpty() ? 1e9 : box.getCenter(new THREE.Vector3()).distanceTo(middle);
    });
  }
  return off.reduce((best, x, body) => (body && (best === 0 || x < off[best]) ? body : best), 0);
}

/** Finds what to show of a motion; `asked` is the body that the scene wants to be followed. Moves the bodies about. */
export function framingOf(mechanism: Mechanism, bodies: Bodies, run: Run, poses: Float64Array, now: number, up: THREE.Vector3, asked = 0): Framing {
  const times = looksAt(run);
  const looks = times.map((t) => {
    run.poses(t, poses);
    bodies.move(poses);
    return { boxes: bodies.boxes() };
  });
  const nothing = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  if (!looks.length) return { box: nothing, points: cornersOf(nothing), size: 2, follow: 0, upright: true, lost: new Set() };
  const lost = lostBodies(looks, lengthOf(unionOf(looks[0].boxes, new Set())));
  const wholes = looks.map(({ boxes }) => unionOf(boxes, lost));
  const size = Math.max(1e-3, median(wholes.map(lengthOf)));
  const path = new THREE.Box3().setFromPoints(wholes.filter((b) => !b.isEmpty()).map((b) => b.getCenter(new THREE.Vector3())));
  const travels = !isHeld(mechanism) && lengthOf(path) > kTravel * size;
  const climb = Math.abs(path.getSize(new THREE.Vector3()).dot(new THREE.Vector3(Math.abs(up.x), Math.abs(up.y), Math.abs(up.z))));
  const upright = asked !== 0 || climb > kTravel * size;
  const follow = asked || (travels ? central(looks) : 0);
  const at = (t: number): THREE.Vector3 => {
    run.poses(t, poses);
    return new THREE.Vector3().fromArray(poses, 7 * (follow - 1));
  };
  const here = follow ? at(now) : new THREE.Vector3();
  const shifts = times.map((t) => {
    const back = follow ? here.clone().sub(at(t)) : new THREE.Vector3();
    return upright ? back : back.addScaledVector(up, -back.dot(up));
  });
  wholes.forEach((box, i) => box.translate(shifts[i]));
  const kept = usualInstants(wholes);
  const box = new THREE.Box3();
  for (const i of kept) box.union(wholes[i]);
  const points = cornersAt(looks, kept, shifts, lost);
  const world = looks[0].boxes[0];
  if (!follow && !world.isEmpty() && lengthOf(world) < 1.2 * lengthOf(box)) {
    box.union(world);
    points.push(...cornersOf(world));
  }
  // what will move on is given some room to do so
  if (run.frames === 1 && !box.isEmpty()) points.push(...cornersOf(box.expandByScalar(0.12 * lengthOf(box))));
  if (box.isEmpty()) points.push(...cornersOf(box.copy(nothing)));
  const middle = box.getCenter(new THREE.Vector3());
  return { box, points: points.map((p) => p.sub(middle)), size, follow, upright, lost };
}
