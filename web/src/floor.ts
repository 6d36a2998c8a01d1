// The floor: a tint with lines every meter (or a power of ten of it) that fades into the sky, and the shadows on it.
import * as THREE from 'three';
import type { Theme } from './palette';

const kVertex = `varying vec2 at;
  void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const kFragment = `varying vec2 at; uniform vec3 floorColor; uniform vec3 lineColor; uniform float cell; uniform float reach; uniform vec2 shift;
  float lines(float size) {
    vec2 x = (at + shift) / size; vec2 near = abs(fract(x - 0.5) - 0.5) / fwidth(x);
    return 1.0 - min(min(near.x, near.y), 1.0);
  }
  void main() {
    float far = length(at) / reach;
    float fade = 1.0 - smoothstep(0.12, 1.0, far);
    if (fade < 0.004) discard;
    float strength = max(0.14 * lines(cell), 0.3 * lines(5.0 * cell)) * (1.0 - smoothstep(0.1, 0.7, far));
    gl_FragColor = vec4(mix(floorColor, lineColor, strength), fade);
    #include <colorspace_fragment>
  }`;

export class Floor {
  readonly group = new THREE.Group();
  private readonly sheet: THREE.Mesh<THREE.CircleGeometry, THREE.ShaderMaterial>;
  private readonly shadows: THREE.Mesh<THREE.CircleGeometry, THREE.ShadowMaterial>;
  private readonly normal = new THREE.Vector3(0, 0, 1);
  /** How far it is from the origin, along its normal. */
  height = 0;
  /** Between two lines, in meters. */
  cell = 1;
  private size = 1;

  constructor() {
    const color = (): { value: THREE.Color } => ({ value: new THREE.Color() });
    const material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: { floorColor: color(), lineColor: color(), cell: { value: 1 }, reach: { value: 10 }, shift: { value: new THREE.Vector2() } },
      vertexShader: kVertex,
      fragmentShader: kFragment,
    });
    this.sheet = new THREE.Mesh(new THREE.CircleGeometry(1, 48), material);
    this.sheet.renderOrder = -2;
    this.shadows = new THREE.Mesh(new THREE.CircleGeometry(1, 48), new THREE.ShadowMaterial({ depthWrite: false }));
    this.shadows.renderOrder = -1;
    this.shadows.receiveShadow = true;
    this.group.add(this.sheet, this.shadows);
  }

  setTheme(theme: Theme): void {
    this.sheet.material.uniforms.floorColor.value.set(theme.floor);
    this.sheet.material.uniforms.lineColor.value.set(theme.grid);
    this.shadows.material.color.set(theme.shadow);
    this.shadows.material.opacity = theme.shade;
  }

  /** Puts it under a mechanism of this size, whose middle is above or below `at`. */
  place(at: THREE.Vector3, normal: THREE.Vector3, size: number): void {
    this.cell = 10 ** Math.floor(Math.log10(size / 2));
    this.height = at.dot(normal);
    this.normal.copy(normal);
    this.size = size;
    const reach = 4.6 * size;
    for (const mesh of [this.sheet, this.shadows]) {
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
      mesh.geometry.dispose();
      mesh.geometry = new THREE.CircleGeometry(mesh === this.sheet ? reach : 0.8 * reach, 48);
    }
    this.sheet.material.uniforms.cell.value = this.cell;
    this.sheet.material.uniforms.reach.value = reach;
    this.goTo(at);
  }

  /** Leaves all of it out but the shadows. */
  setTransparent(on: boolean): void {
    this.sheet.visible = !on;
  }

  /** Puts it under another place, its lines where they were. */
  goTo(at: THREE.Vector3): void {
    const local = at.clone().applyQuaternion(this.sheet.quaternion.clone().invert());
    const step = 5 * this.cell;
    // lines stay where they are, the tint that fades is around the place
    const shift = this.sheet.material.uniforms.shift.value as THREE.Vector2;
    shift.set(local.x % step, local.y % step);
    for (const mesh of [this.sheet, this.shadows]) {
      mesh.position.copy(at).addScaledVector(this.normal, this.height - at.dot(this.normal));
      mesh.position.addScaledVector(this.normal, (mesh === this.sheet ? -1e-3 : -0.8e-3) * this.size);
    }
  }
}
