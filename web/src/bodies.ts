// Draws bodies: their shapes, instanced, and a stick figure where a body has none.
import * as THREE from 'three';
import { bytesOf, type Mechanism, type Place, type ShapeInfo } from './data';
import { between, Instances, rodGeometry } from './instances';
import { kAccent, kBodyColors } from './palette';

export function matrixOf(place: ArrayLike<number>, at = 0): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(place[at], place[at + 1], place[at + 2]),
    new THREE.Quaternion(place[at + 4], place[at + 5], place[at + 6], place[at + 3]),
    new THREE.Vector3(1, 1, 1),
  );
}

/** Something that moves with a body: the instance `index` of `instances`, at `local`. */
interface Piece {
  instances: Instances;
  index: number;
  body: number;
  local: THREE.Matrix4;
  color: THREE.Color;
  collision: boolean;
  wrap: boolean;
}

/** A stick between two points of bodies. */
interface Stick {
  index: number;
  body: number;
  a: { body: number; at: THREE.Vector3 };
  b: { body: number; at: THREE.Vector3 };
}

/** One geometry for all shapes that are scaled copies of it. */
interface Part {
  key: string;
  /** With fewer triangles where `detail` is below 1. */
  geometry: (detail: number) => THREE.BufferGeometry;
  scale: THREE.Vector3;
  shift: number; // along the shape's z
}

const many = (most: number, detail: number): number => Math.max(8, Math.round(most * detail));
const kSphere = (detail: number): THREE.BufferGeometry =>
  new THREE.SphereGeometry(1, many(36, detail), many(20, detail)).rotateX(Math.PI / 2);
const kCylinder = (detail: number, open = false): THREE.BufferGeometry =>
  new THREE.CylinderGeometry(1, 1, 1, many(36, detail), 1, open).rotateX(Math.PI / 2);
const kOpenCylinder = (detail: number): THREE.BufferGeometry => kCylinder(detail, true);
/** Thousands of copies are small on the screen, and every triangle of them is drawn twice, once for the shadow. */
const detailOf = (copies: number): number => (copies <= 60 ? 1 : copies <= 400 ? 0.6 : 0.33);
const vector = (x: number, y: number, z: number): THREE.Vector3 => new THREE.Vector3(x, y, z);

function partsOf(shape: ShapeInfo, mechanism: Mechanism): Part[] {
  const s = shape.size;
  switch (shape.kind) {
    case 'box':
      return [{ key: 'box', geometry: () => new THREE.BoxGeometry(1, 1, 1), scale: vector(s[0], s[1], s[2]), shift: 0 }];
    case 'sphere':
      return [{ key: 'sphere', geometry: kSphere, scale: vector(s[0], s[0], s[0]), shift: 0 }];
    case 'ellipsoid':
      return [{ key: 'sphere', geometry: kSphere, scale: vector(s[0], s[1], s[2]), shift: 0 }];
    case 'cylinder':
      return [{ key: 'cylinder', geometry: kCylinder, scale: vector(s[0], s[0], s[1]), shift: 0 }];
    case 'capsule':
      return [
        { key: 'tube', geometry: kOpenCylinder, scale: vector(s[0], s[0], s[1]), shift: 0 },
        { key: 'sphere', geometry: kSphere, scale: vector(s[0], s[0], s[0]), shift: s[1] / 2 },
        { key: 'sphere', geometry: kSphere, scale: vector(s[0], s[0], s[0]), shift: -s[1] / 2 },
      ];
    case 'torus': {
      const ratio = s[1] / s[0];
      return [
        {
          key: `torus ${ratio.toPrecision(6)}`,
          geometry: (detail) => new THREE.TorusGeometry(1, ratio, many(20, detail), many(56, detail)),
          scale: vector(s[0], s[0], s[0]),
          shift: 0,
        },
      ];
    }
    case 'mesh':
      return [
        { key: `mesh ${shape.mesh}`, geometry: () => meshGeometry(mechanism, shape.mesh!), scale: vector(1, 1, 1), shift: 0 },
      ];
  }
}

function meshGeometry(mechanism: Mechanism, index: number): THREE.BufferGeometry {
  const mesh = mechanism.meshes[index];
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute('position', new THREE.BufferAttribute(new Float32Array(bytesOf(mesh.vertices)), 3));
  indexed.setIndex(new THREE.BufferAttribute(new Uint32Array(bytesOf(mesh.triangles)), 1));
  const flat = indexed.toNonIndexed(); // each triangle keeps its own normal: edges of machine parts stay sharp
  flat.computeVertexNormals();
  return flat;
}

export class Bodies {
  readonly group = new THREE.Group();
  /** World matrices of the bodies, the world first. */
  readonly world: THREE.Matrix4[];
  private readonly pieces: Piece[] = [];
  private readonly sticks: Stick[] = [];
  private readonly sets: Instances[] = [];
  private readonly owners = new Map<THREE.InstancedMesh, number[]>();
  private rods: Instances | undefined;
  private knobs: Instances | undefined;
  private readonly knobBodies: number[] = [];
  /** Bodies that are nothing but a point of a line, as the nodes of strands are. */
  private readonly nodes = new Set<number>();
  private selected = 0;
  private collisions = false;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly thickness: number,
    readonly hidden = new Set<number>(),
  ) {
    this.world = Array.from({ length: mechanism.bodies.length + 1 }, () => new THREE.Matrix4());
    this.addShapes();
    this.addSticks();
  }

  dispose(): void {
    for (const set of this.sets) set.dispose();
    this.group.removeFromParent();
  }

  /** Moves everything; poses has seven numbers for each body. */
  move(poses: Float64Array): void {
    for (let body = 1; body < this.world.length; ++body) {
      const at = 7 * (body - 1);
      this.world[body].copy(matrixOf(poses, at));
    }
    const matrix = new THREE.Matrix4();
    for (const piece of this.pieces) {
      const shown = !this.hidden.has(piece.body) && (!piece.collision || this.collisions);
      if (shown) piece.instances.set(piece.index, matrix.multiplyMatrices(this.world[piece.body], piece.local));
      else piece.instances.hide(piece.index);
    }
    for (const stick of this.sticks) {
      if (this.hidden.has(stick.body)) this.rods!.hide(stick.index);
      else this.rods!.set(stick.index, between(this.point(stick.a), this.point(stick.b), this.thickness, matrix));
    }
    this.knobBodies.forEach((body, i) => {
      if (this.hidden.has(body)) this.knobs!.hide(i);
      else
        this.knobs!.set(i, matrix.copy(this.world[body]).scale(vector(1, 1, 1).multiplyScalar((this.nodes.has(body) ? 0.6 : 1.6) * this.thickness)));
    });
    for (const set of this.sets) set.done();
  }

  select(body: number): void {
    this.selected = body;
    this.paint();
  }
  setHidden(body: number, hidden: boolean): void {
    if (hidden) this.hidden.add(body);
    else this.hidden.delete(body);
  }
  isHidden(body: number): boolean {
    return this.hidden.has(body);
  }
  showCollisions(on: boolean): void {
    this.collisions = on;
  }

  /** The color that a body is drawn in, for its dot in lists. */
  colorOf(body: number): string {
    const piece = this.pieces.find((p) => p.body === body && !p.collision && !p.wrap);
    return piece ? `#${piece.color.getHexString()}` : kBodyColors[(body - 1) % kBodyColors.length];
  }

  /** The body and the point of it that a ray meets first. */
  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3 } | undefined {
    const hit = ray.intersectObjects([...this.owners.keys()], false)[0];
    if (!hit) return undefined;
    const body = this.owners.get(hit.object as THREE.InstancedMesh)![hit.instanceId!];
    return { body, point: hit.point };
  }

  /** Adds to the box what the bodies fill in their present place. */
  expand(box: THREE.Box3): void {
    const one = new THREE.Box3();
    for (const piece of this.pieces) {
      if (piece.collision) continue;
      const geometry = piece.instances.mesh.geometry;
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      one.copy(geometry.boundingBox!).applyMatrix4(new THREE.Matrix4().multiplyMatrices(this.world[piece.body], piece.local));
      box.union(one);
    }
    for (const stick of this.sticks) box.expandByPoint(this.point(stick.a)).expandByPoint(this.point(stick.b));
  }

  private point(p: { body: number; at: THREE.Vector3 }): THREE.Vector3 {
    return p.at.clone().applyMatrix4(this.world[p.body]);
  }

  private addShapes(): void {
    const groups = new Map<string, { part: Part; shape: ShapeInfo }[]>();
    const seen = new Set(this.mechanism.shapes.filter((s) => s.visual && !s.wrap).map((s) => s.body));
    for (const shape of this.mechanism.shapes)
      for (const part of partsOf(shape, this.mechanism)) {
        // what only collides is drawn where asked for, or where a body has nothing else to show
        const collision = !shape.visual && seen.has(shape.body);
        const key = `${part.key}${shape.wrap ? ' wrap' : collision ? ' collision' : ''}`;
        groups.set(key, [...(groups.get(key) ?? []), { part, shape }]);
      }
    for (const [key, members] of groups) {
      const collision = key.endsWith(' collision');
      const wrap = key.endsWith(' wrap');
      const material = collision
        ? new THREE.MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.35 })
        : new THREE.MeshStandardMaterial({ roughness: 0.48, metalness: 0.12 });
      if (key.startsWith('mesh')) material.side = THREE.DoubleSide;
      if (wrap) Object.assign(material, { transparent: true, opacity: 0.35, depthWrite: false });
      const instances = this.add(new Instances(members[0].part.geometry(detailOf(members.length)), members.length, material, !collision && !wrap));
      members.forEach(({ part, shape }, index) => {
        const local = matrixOf(shape.at as Place)
          .multiply(new THREE.Matrix4().makeTranslation(0, 0, part.shift))
          .scale(part.scale);
        const color = new THREE.Color(/^#[0-9a-f]{6}/i.test(shape.color) ? shape.color.slice(0, 7) : this.ownColor(shape.body));
        this.pieces.push({ instances, index, body: shape.body, local, color, collision, wrap });
      });
      if (!collision && !wrap) this.owners.set(instances.mesh, members.map((m) => m.shape.body));
    }
    this.paint();
  }

  private ownColor(body: number): string {
    return body === 0 ? '#9aa3ad' : kBodyColors[(body - 1) % kBodyColors.length];
  }

  /** A body without shapes: rods from its joint to the joints, loops and line forces that it carries. */
  private addSticks(): void {
    const shaped = new Set(this.mechanism.shapes.filter((s) => !s.wrap).map((s) => s.body));
    const origin = new THREE.Vector3();
    this.mechanism.bodies.forEach((info, i) => {
      const body = i + 1;
      if (shaped.has(body)) return;
      this.knobBodies.push(body);
      const from = { body, at: origin };
      const add = (to: { body: number; at: THREE.Vector3 }): void => {
        this.sticks.push({ index: this.sticks.length, body, a: from, b: to });
      };
      const before = this.sticks.length;
      this.mechanism.bodies.forEach((child, k) => {
        if (child.parent === body) add({ body: k + 1, at: origin });
      });
      for (const loop of this.mechanism.loops)
        for (const end of [loop.a, loop.b]) if (end.body === body) add({ body, at: new THREE.Vector3(...end.at) });
      for (const line of this.mechanism.lines)
        for (const end of line.points) if (end.body === body) add({ body, at: new THREE.Vector3(...end.at) });
      const added = this.sticks.slice(before);
      if (added.length && added.every(({ b }) => b.body === body && b.at.length() < 1e-9)) this.nodes.add(body);
      if (added.length) return;
      const com = new THREE.Vector3(...info.com);
      if (com.length() > 0) add({ body, at: com.multiplyScalar(2) });
      // a body all about its joint: a cross shows how it turns
      else for (const axis of [vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)]) add({ body, at: axis.multiplyScalar(7 * this.thickness) });
    });
    const material = (): THREE.Material => new THREE.MeshStandardMaterial({ roughness: 0.45, metalness: 0.2 });
    if (this.sticks.length > 0) {
      this.rods = this.add(new Instances(rodGeometry(), this.sticks.length, material()));
      this.owners.set(this.rods.mesh, this.sticks.map((s) => s.body));
    }
    if (this.knobBodies.length > 0) {
      this.knobs = this.add(new Instances(kSphere(detailOf(this.knobBodies.length)), this.knobBodies.length, material()));
      this.owners.set(this.knobs.mesh, this.knobBodies);
    }
    this.paint();
  }

  private add(instances: Instances): Instances {
    this.sets.push(instances);
    this.group.add(instances.mesh);
    return instances;
  }

  private paint(): void {
    const accent = new THREE.Color(kAccent);
    const colored = (body: number, own: THREE.Color): THREE.Color =>
      body === this.selected && body !== 0 ? own.clone().lerp(accent, 0.85) : own;
    for (const piece of this.pieces) piece.instances.color(piece.index, colored(piece.body, piece.color));
    for (const stick of this.sticks)
      this.rods?.color(stick.index, colored(stick.body, new THREE.Color(this.ownColor(stick.body))));
    this.knobBodies.forEach((body, i) => this.knobs?.color(i, colored(body, new THREE.Color(this.ownColor(body)))));
  }
}
