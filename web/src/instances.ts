// Many copies of one geometry drawn in one call.
import * as THREE from 'three';

const kHidden = new THREE.Matrix4().makeScale(0, 0, 0);

export class Instances {
  readonly mesh: THREE.InstancedMesh;

  constructor(geometry: THREE.BufferGeometry, count: number, material: THREE.Material, shadows = true) {
    this.mesh = new THREE.InstancedMesh(geometry, material, count);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = shadows;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    for (let i = 0; i < count; ++i) {
      this.mesh.setMatrixAt(i, kHidden);
      this.mesh.setColorAt(i, new THREE.Color(1, 1, 1));
    }
  }
  set(i: number, matrix: THREE.Matrix4): void {
    this.mesh.setMatrixAt(i, matrix);
  }
  hide(i: number): void {
    this.mesh.setMatrixAt(i, kHidden);
  }
  color(i: number, color: THREE.Color): void {
    this.mesh.setColorAt(i, color);
    this.mesh.instanceColor!.needsUpdate = true;
  }
  /** Call after matrices have changed. */
  done(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null; // or picking would look where the bodies were
  }
  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
  }
}

const kUp = new THREE.Vector3(0, 0, 1);
const turn = new THREE.Quaternion();
const along = new THREE.Vector3();
const scale = new THREE.Vector3();

/** The matrix that puts a thing of unit length along z between two points, `thick` times as wide. */
export function between(a: THREE.Vector3, b: THREE.Vector3, thick: number, out: THREE.Matrix4): THREE.Matrix4 {
  along.subVectors(b, a);
  const length = along.length();
  if (length < 1e-12) return out.copy(kHidden);
  turn.setFromUnitVectors(kUp, along.divideScalar(length));
  return out.compose(a, turn, scale.set(thick, thick, length));
}

/** A rod of unit length and radius along z, beginning at the origin. */
export function rodGeometry(sides = 20): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}
