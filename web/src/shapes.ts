// Geometries of shapes: one for all that are scaled copies of it.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { bytesOf, type Mechanism, type ShapeInfo } from './data';

/** One geometry for all shapes that are scaled copies of it. */
export interface Part {
  key: string;
  /** With fewer triangles where `detail` is below 1. */
  geometry: (detail: number) => THREE.BufferGeometry;
  scale: THREE.Vector3;
  shift: number; // along the shape's z
}

const many = (most: number, detail: number): number => Math.max(8, Math.round(most * detail));
export const kSphere = (detail: number): THREE.BufferGeometry =>
  new THREE.SphereGeometry(1, many(36, detail), many(20, detail)).rotateX(Math.PI / 2);
const kCylinder = (detail: number, open = false): THREE.BufferGeometry =>
  new THREE.CylinderGeometry(1, 1, 1, many(36, detail), 1, open).rotateX(Math.PI / 2);
const kOpenCylinder = (detail: number): THREE.BufferGeometry => kCylinder(detail, true);
/** Thousands of copies are small on the screen, and every triangle of them is drawn twice, once for the shadow. */
export const detailOf = (copies: number): number => (copies <= 60 ? 1 : copies <= 400 ? 0.6 : 0.33);
const vector = (x: number, y: number, z: number): THREE.Vector3 => new THREE.Vector3(x, y, z);

/** A box whose edges catch the light, as wide as 7 % of its thin side. */
function boxPart(s: number[]): Part {
  const round = (detail: number): THREE.BufferGeometry =>
    detail < 1 ? new THREE.BoxGeometry(s[0], s[1], s[2]) : new RoundedBoxGeometry(s[0], s[1], s[2], 2, 0.07 * Math.min(s[0], s[1], s[2]));
  return { key: `box ${s.map((x) => x.toPrecision(6)).join(' ')}`, geometry: round, scale: vector(1, 1, 1), shift: 0 };
}

export function partsOf(shape: ShapeInfo, mechanism: Mechanism): Part[] {
  const s = shape.size;
  switch (shape.kind) {
    case 'box':
      return [boxPart(s)];
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

