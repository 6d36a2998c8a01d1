// Plates through points that lie nearly in a plane.
import * as THREE from 'three';

export interface Plane {
  normal: THREE.Vector3;
  middle: THREE.Vector3;
}

/** The plane of three points or more; none where they lie on a line or farther than this share of their size off it. */
export function bestPlane(points: THREE.Vector3[], share: number): Plane | undefined {
  const middle = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(points.length);
  const size = Math.max(...points.map((p) => p.distanceTo(middle)));
  let normal = new THREE.Vector3();
  for (const a of points)
    for (const b of points) {
      const n = new THREE.Vector3().crossVectors(a.clone().sub(middle), b.clone().sub(middle));
      if (n.length() > normal.length()) normal = n;
    }
  if (normal.length() < 0.02 * size * size) return undefined;
  normal.normalize();
  const off = Math.max(...points.map((p) => Math.abs(p.clone().sub(middle).dot(normal))));
  return off <= share * size ? { normal, middle } : undefined;
}

function axesOf(normal: THREE.Vector3): [THREE.Vector3, THREE.Vector3] {
  const x = new THREE.Vector3(1, 0, 0);
  if (Math.abs(normal.x) > 0.7) x.set(0, 1, 0);
  x.addScaledVector(normal, -x.dot(normal)).normalize();
  return [x, new THREE.Vector3().crossVectors(normal, x)];
}

/** The corners of the convex hull of points in a plane, counter-clockwise. */
export function flatHull(points: THREE.Vector3[], plane: Plane): THREE.Vector2[] {
  const [x, y] = axesOf(plane.normal);
  const flat = points
    .map((p) => p.clone().sub(plane.middle))
    .map((p) => new THREE.Vector2(p.dot(x), p.dot(y)))
    .sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: THREE.Vector2[]): THREE.Vector2[] => {
    const out: THREE.Vector2[] = [];
    for (const p of list) {
      while (out.length > 1 && out[out.length - 1].clone().sub(out[out.length - 2]).cross(p.clone().sub(out[out.length - 2])) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(flat), ...half([...flat].reverse())];
}

/** A plate of this hull with rounded edges, as a geometry of the frame in which the plane is given. */
export function plateGeometry(hull: THREE.Vector2[], plane: Plane, thickness: number): THREE.BufferGeometry {
  const shape = new THREE.Shape(hull);
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: 0.5 * thickness, bevelEnabled: true, bevelThickness: 0.3 * thickness, bevelSize: 0.9 * thickness, bevelSegments: 3 });
  const [x, y] = axesOf(plane.normal);
  const lift = plane.middle.clone().addScaledVector(plane.normal, -0.25 * thickness);
  return geometry.applyMatrix4(new THREE.Matrix4().makeBasis(x, y, plane.normal).setPosition(lift));
}
