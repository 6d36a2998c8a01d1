// Draws bodies that have no shapes: rods with round ends from joint to joint, plates where three points or more belong
// together, a sleeve around what slides.
import * as THREE from 'three';
import type { Mechanism } from './data';
import { between, Instances, rodGeometry } from './instances';
import { bestPlane, flatHull, plateGeometry } from './plate';

export interface BodyAt {
  body: number;
  at: THREE.Vector3;
}
interface Stick {
  body: number;
  a: BodyAt;
  b: BodyAt;
  /** Of the usual thickness. */
  thick: number;
}
interface Plate {
  body: number;
  mesh: THREE.Mesh;
  points: THREE.Vector3[];
}

const kSlides = /prismatic|cylindrical|planar|translational|^free|expression|on_|surface|spline|composite/;

export class Sticks {
  readonly group = new THREE.Group();
  readonly sets: Instances[] = [];
  readonly owners = new Map<THREE.InstancedMesh, number[]>();
  private readonly sticks: Stick[] = [];
  private readonly plates: Plate[] = [];
  private readonly balls: { body: number; at: THREE.Vector3; thick: number }[] = [];
  private rods: Instances | undefined;
  private caps: Instances | undefined;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly thickness: number,
    private readonly world: THREE.Matrix4[],
    private readonly colorOf: (body: number) => string,
    /** Ropes are drawn as lines; their nodes are nothing by themselves. */
    isRopeNode: (body: number) => boolean,
    /** What the shapes of a body fill now. */
    boxOf: (body: number) => THREE.Box3,
  ) {
    const shaped = new Set(mechanism.shapes.filter((s) => !s.wrap).map((s) => s.body));
    const children = new Map<number, number[]>();
    mechanism.bodies.forEach(({ parent }, i) => children.set(parent, [...(children.get(parent) ?? []), i + 1]));
    mechanism.bodies.forEach((_, i) => {
      if (shaped.has(i + 1)) this.addHanger(i + 1, boxOf(i + 1));
      else if (!isRopeNode(i + 1)) this.addBody(i + 1, children.get(i + 1) ?? []);
    });
    this.make();
  }

  dispose(): void {
    for (const set of this.sets) set.dispose();
    for (const { mesh } of this.plates) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
  }

  move(hidden: Set<number>, matrix: THREE.Matrix4): void {
    this.sticks.forEach((stick, i) => {
      if (hidden.has(stick.body)) this.rods!.hide(i);
      else this.rods!.set(i, between(this.point(stick.a), this.point(stick.b), stick.thick * this.thickness, matrix));
    });
    this.balls.forEach(({ body, at, thick }, i) => {
      if (hidden.has(body)) return this.caps!.hide(i);
      const radius = thick * this.thickness;
      const p = at.clone().applyMatrix4(this.world[body]);
      this.caps!.set(i, matrix.makeScale(radius, radius, radius).setPosition(p));
    });
    for (const { body, mesh } of this.plates) {
      mesh.visible = !hidden.has(body);
      mesh.matrix.copy(this.world[body]);
    }
    for (const set of this.sets) set.done();
  }

  expand(boxes: THREE.Box3[]): void {
    for (const stick of this.sticks) boxes[stick.body].expandByPoint(this.point(stick.a)).expandByPoint(this.point(stick.b));
    for (const { body, at } of this.balls) boxes[body].expandByPoint(at.clone().applyMatrix4(this.world[body]));
    for (const { body, points } of this.plates)
      for (const p of points) boxes[body].expandByPoint(p.clone().applyMatrix4(this.world[body]));
  }

  /** What is drawn of a body, with its matrix, for an outline around it. */
  piecesOf(body: number): { geometry: THREE.BufferGeometry; matrix: THREE.Matrix4 }[] {
    const out: { geometry: THREE.BufferGeometry; matrix: THREE.Matrix4 }[] = [];
    const add = (set: Instances | undefined, list: { body: number }[]): void =>
      list.forEach((entry, i) => {
        if (entry.body !== body || !set) return;
        const matrix = new THREE.Matrix4();
        set.mesh.getMatrixAt(i, matrix);
        out.push({ geometry: set.mesh.geometry, matrix });
      });
    add(this.rods, this.sticks);
    add(this.caps, this.balls);
    for (const plate of this.plates) if (plate.body === body) out.push({ geometry: plate.mesh.geometry, matrix: plate.mesh.matrix });
    return out;
  }

  private point(p: BodyAt): THREE.Vector3 {
    return p.at.clone().applyMatrix4(this.world[p.body]);
  }

  /** Points of a body where something is fastened and stays there, in its frame. */
  private fastened(body: number, children: number[]): THREE.Vector3[] {
    const { lines, loops, bodies } = this.mechanism;
    const inverse = this.world[body].clone().invert();
    const out = children
      .filter((child) => !kSlides.test(bodies[child - 1].joint.type))
      .map((child) => new THREE.Vector3().setFromMatrixPosition(this.world[child]).applyMatrix4(inverse));
    for (const loop of loops) for (const end of [loop.a, loop.b]) if (end.body === body) out.push(new THREE.Vector3(...end.at));
    for (const line of lines) for (const end of line.points) if (end.body === body) out.push(new THREE.Vector3(...end.at));
    return out.filter((p, i) => out.findIndex((other) => other.distanceTo(p) < 0.5 * this.thickness) === i);
  }

  /** A thin rod from a hinge to shapes that are far from it. */
  private addHanger(body: number, box: THREE.Box3): void {
    const { joint, com } = this.mechanism.bodies[body - 1];
    const hinge = new THREE.Vector3().setFromMatrixPosition(this.world[body]);
    if (!joint.axes.some((axis) => axis.kind === 'turn') || box.distanceToPoint(hinge) < 4 * this.thickness) return;
    const middle = box.getCenter(new THREE.Vector3()).applyMatrix4(this.world[body].clone().invert());
    this.sticks.push({ body, a: { body, at: new THREE.Vector3() }, b: { body, at: com.some((x) => x !== 0) ? new THREE.Vector3(...com) : middle }, thick: 0.35 });
  }

  private addBody(body: number, children: number[]): void {
    const { bodies } = this.mechanism;
    const origin = new THREE.Vector3();
    const points = this.fastened(body, children);
    const isFree = /^free/.test(bodies[body - 1].joint.type);
    const corners = isFree && points.length > 2 ? points : [origin, ...points.filter((p) => p.length() > 0.5 * this.thickness)];
    const plane = corners.length > 2 ? bestPlane(corners, 0.12) : undefined;
    if (plane) this.addPlate(body, corners, plane);
    else for (const p of points) this.addStick(body, { body, at: origin }, { body, at: p });
    for (const child of children) if (kSlides.test(bodies[child - 1].joint.type)) this.addSliding(body, child);
    if (points.length || children.length) return;
    const com = new THREE.Vector3(...bodies[body - 1].com);
    const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
    if (com.length() > 0) this.addStick(body, { body, at: origin }, { body, at: com.multiplyScalar(2) });
    // a body all about its joint: a cross shows how it turns
    else for (const axis of axes) this.addStick(body, { body, at: origin }, { body, at: axis.multiplyScalar(7 * this.thickness) });
  }

  private addStick(body: number, a: BodyAt, b: BodyAt, thick = 1): void {
    this.sticks.push({ body, a, b, thick });
    for (const end of [a, b]) this.balls.push({ body, at: end.at, thick: end.at.length() < 1e-9 ? 1.5 * thick : 1.05 * thick });
    if (b.body !== body) this.balls.pop(); // it moves with the other body, which has its own
  }

  /** A thin rod that reaches to what slides, in a sleeve of the body that it slides on. */
  private addSliding(body: number, child: number): void {
    const at = new THREE.Vector3().setFromMatrixPosition(this.world[child]).applyMatrix4(this.world[body].clone().invert());
    const origin = new THREE.Vector3();
    const slides = this.mechanism.bodies[child - 1].joint.axes.some((axis) => axis.kind === 'slide');
    if (slides && at.length() > 6 * this.thickness) {
      this.addStick(body, { body, at: origin }, { body, at: at.clone().multiplyScalar(0.62) }, 1.35);
      this.sticks.push({ body: child, a: { body, at: origin }, b: { body: child, at: origin }, thick: 0.62 });
    } else this.addStick(body, { body, at: origin }, { body: child, at: origin });
  }

  private addPlate(body: number, corners: THREE.Vector3[], plane: { normal: THREE.Vector3; middle: THREE.Vector3 }): void {
    const material = new THREE.MeshStandardMaterial({ color: this.colorOf(body), roughness: 0.5, metalness: 0, transparent: true, opacity: 0.72 });
    const mesh = new THREE.Mesh(plateGeometry(flatHull(corners, plane), plane, this.thickness), material);
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData.body = body;
    this.plates.push({ body, mesh, points: corners });
    this.group.add(mesh);
    for (const at of corners) this.balls.push({ body, at, thick: 1.2 });
  }

  private make(): void {
    const material = (): THREE.Material => new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0 });
    const detail = this.balls.length > 400 ? 0.4 : 1;
    const ball = new THREE.SphereGeometry(1, Math.round(24 * detail), Math.round(14 * detail));
    const set = (geometry: THREE.BufferGeometry, list: { body: number }[]): Instances | undefined => {
      if (!list.length) return undefined;
      const instances = new Instances(geometry, list.length, material());
      list.forEach(({ body }, i) => instances.color(i, new THREE.Color(this.colorOf(body))));
      this.sets.push(instances);
      this.group.add(instances.mesh);
      this.owners.set(instances.mesh, list.map(({ body }) => body));
      return instances;
    };
    this.rods = set(rodGeometry(), this.sticks);
    this.caps = set(ball, this.balls);
  }

  plateMeshes(): THREE.Mesh[] {
    return this.plates.map(({ mesh }) => mesh);
  }
}
