// Draws bodies: their shapes, instanced, and a stick figure where a body has none.
import * as THREE from 'three';
import type { Mechanism, Place, ShapeInfo } from './data';
import { Instances } from './instances';
import { Outline } from './outline';
import { kBodyColors } from './palette';
import { ropesOf } from './ropes';
import { detailOf, partsOf, type Part } from './shapes';
import { Sticks } from './sticks';

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

export class Bodies {
  readonly group = new THREE.Group();
  /** World matrices of the bodies, the world first. */
  readonly world: THREE.Matrix4[];
  private readonly pieces: Piece[] = [];
  private readonly sets: Instances[] = [];
  private readonly owners = new Map<THREE.InstancedMesh, number[]>();
  private readonly sticks: Sticks;
  private readonly outline = new Outline();
  private selected = 0;
  private collisions = false;

  constructor(
    private readonly mechanism: Mechanism,
    thickness: number,
    /** Where the bodies are when the page begins: where sticks are fastened to one another. */
    poses: Float64Array,
    readonly hidden = new Set<number>(),
  ) {
    this.world = Array.from({ length: mechanism.bodies.length + 1 }, () => new THREE.Matrix4());
    this.place(poses);
    this.addShapes();
    const nodes = new Set(ropesOf(mechanism).flatMap((rope) => rope.nodes));
    this.sticks = new Sticks(mechanism, thickness, this.world, (body) => this.ownColor(body), (body) => nodes.has(body), (body) => this.shapesOf(body));
    for (const [mesh, owners] of this.sticks.owners) this.owners.set(mesh, owners);
    this.group.add(this.sticks.group, this.outline.group);
  }

  dispose(): void {
    for (const set of this.sets) set.dispose();
    this.sticks.dispose();
    this.outline.show([]);
    this.group.removeFromParent();
  }

  private place(poses: Float64Array): void {
    for (let body = 1; body < this.world.length; ++body) this.world[body].copy(matrixOf(poses, 7 * (body - 1)));
  }

  /** Moves everything; poses has seven numbers for each body. */
  move(poses: Float64Array): void {
    this.place(poses);
    const matrix = new THREE.Matrix4();
    for (const piece of this.pieces) {
      const shown = !this.hidden.has(piece.body) && (!piece.collision || this.collisions);
      if (shown) piece.instances.set(piece.index, matrix.multiplyMatrices(this.world[piece.body], piece.local));
      else piece.instances.hide(piece.index);
    }
    this.sticks.move(this.hidden, matrix);
    for (const set of this.sets) set.done();
    this.drawOutline();
  }

  select(body: number): void {
    this.selected = body;
  }
  setAccent(color: string): void {
    this.outline.setColor(color);
  }
  /** An outline around the selected body, which keeps its color. */
  private drawOutline(): void {
    const body = this.hidden.has(this.selected) ? 0 : this.selected;
    const shown = body === 0 ? [] : this.sticks.piecesOf(body);
    for (const piece of this.pieces) {
      if (piece.body !== body || body === 0 || piece.collision || piece.wrap) continue;
      const matrix = new THREE.Matrix4().multiplyMatrices(this.world[body], piece.local);
      shown.push({ geometry: piece.instances.mesh.geometry, matrix });
    }
    this.outline.show(shown);
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
    const hit = ray.intersectObjects([...this.owners.keys(), ...this.sticks.plateMeshes()], false)[0];
    if (!hit) return undefined;
    const body = this.owners.get(hit.object as THREE.InstancedMesh)?.[hit.instanceId!] ?? (hit.object.userData.body as number);
    return { body, point: hit.point };
  }

  private shapesOf(body: number): THREE.Box3 {
    const out = new THREE.Box3();
    for (const piece of this.pieces) if (piece.body === body && !piece.collision && !piece.wrap) out.union(this.boxOf(piece));
    return out;
  }
  private boxOf(piece: Piece): THREE.Box3 {
    const { geometry } = piece.instances.mesh;
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    return geometry.boundingBox!.clone().applyMatrix4(new THREE.Matrix4().multiplyMatrices(this.world[piece.body], piece.local));
  }

  /** What each body fills in its present place, the world first; lines of force belong to the bodies that they hold. */
  boxes(): THREE.Box3[] {
    const out = this.world.map(() => new THREE.Box3());
    for (const piece of this.pieces) if (!piece.collision) out[piece.body].union(this.boxOf(piece));
    this.sticks.expand(out);
    const at = new THREE.Vector3();
    for (const line of this.mechanism.lines) {
      const holder = line.points.find((p) => p.body !== 0)?.body ?? 0;
      for (const p of line.points) out[p.body || holder].expandByPoint(at.set(...p.at).applyMatrix4(this.world[p.body]));
    }
    this.mechanism.bodies.forEach(({ parent, joint }, i) => {
      if (parent === 0 && joint.axes.length) out[i + 1].expandByPoint(at.setFromMatrixPosition(this.world[i + 1]));
    });
    return out;
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
        : new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0 });
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

  private add(instances: Instances): Instances {
    this.sets.push(instances);
    this.group.add(instances.mesh);
    return instances;
  }

  private paint(): void {
    for (const piece of this.pieces) piece.instances.color(piece.index, piece.color);
  }
}
