// The three-dimensional picture: renderer, light, ground, camera. Draws only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { kThemes, type Theme } from './palette';

/** Lines every meter (or a power of ten of it), fading with the distance. */
function groundGrid(): THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial> {
  const material = new THREE.ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: { color: { value: new THREE.Color() }, cell: { value: 1 }, reach: { value: 10 } },
    vertexShader: `varying vec2 at;
      void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
    fragmentShader: `varying vec2 at; uniform vec3 color; uniform float cell; uniform float reach;
      float lines(float size) {
        vec2 x = at / size; vec2 near = abs(fract(x - 0.5) - 0.5) / fwidth(x);
        return 1.0 - min(min(near.x, near.y), 1.0);
      }
      void main() {
        float fade = 1.0 - smoothstep(0.15, 1.0, length(at) / reach);
        float strength = max(0.35 * lines(cell), 0.75 * lines(5.0 * cell)) * fade;
        if (strength < 0.01) discard;
        gl_FragColor = vec4(color, 0.6 * strength);
      }`,
  });
  return new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(36, 1, 0.01, 1000);
  readonly renderer: THREE.WebGLRenderer;
  controls: OrbitControls;
  up = new THREE.Vector3(0, 0, 1);
  private readonly grid = groundGrid();
  private readonly shadowCatcher = new THREE.Mesh(
    new THREE.PlaneGeometry(1, 1),
    new THREE.ShadowMaterial({ opacity: 0.22 }),
  );
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.3);
  private readonly fill = new THREE.DirectionalLight(0xbfd4ff, 0.7);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8d8d96, 1.5);
  private box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  private pending = false;
  private viewed: 'home' | 'front' | 'side' | 'top' | undefined; // until the user turns the camera
  private readonly beforeDraw: (() => void)[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.shadowCatcher.receiveShadow = true;
    this.scene.add(this.grid, this.shadowCatcher, this.sun, this.sun.target, this.fill, this.sky);
    this.controls = this.makeControls();
    this.setTheme(kThemes.light);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  setTheme(theme: Theme): void {
    this.scene.background = new THREE.Color(theme.sky);
    this.grid.material.uniforms.color.value.set(theme.grid);
    this.shadowCatcher.material.opacity = theme.name === 'light' ? 0.2 : 0.45;
    this.sky.groundColor.set(theme.name === 'light' ? 0x9a9aa2 : 0x4a4a55);
    this.draw();
  }

  /** Calls f before every picture. */
  onDraw(f: () => void): void {
    this.beforeDraw.push(f);
  }
  /** Asks for a picture soon. */
  draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.drawNow());
  }
  drawNow(): void {
    this.pending = false;
    for (const f of this.beforeDraw) f();
    this.renderer.render(this.scene, this.camera);
  }

  /**
   * Says which way is up and how much room the motion takes; light and camera follow. The ground is where the scene has
   * it, else below the mechanism.
   */
  frame(box: THREE.Box3, up: THREE.Vector3, plane?: { normal: [number, number, number]; height: number }): void {
    this.box = box;
    this.up.copy(up);
    this.camera.up.copy(up);
    this.controls.dispose();
    this.controls = this.makeControls();
    const size = this.size();
    const middle = box.getCenter(new THREE.Vector3());
    const heights = [box.min.dot(up), box.max.dot(up)].sort((a, b) => a - b);
    // a mechanism that stands on the plane through the origin has its ground there, one that hangs below it
    const below = heights[0] > -0.02 * size && heights[0] < 0.5 * size ? Math.min(0, heights[0]) : heights[0] - 0.06 * size;
    const normal = plane ? new THREE.Vector3(...plane.normal) : up;
    const ground = plane ? plane.height : below;
    const origin = middle.clone().addScaledVector(normal, ground - middle.dot(normal));
    const cell = Math.pow(10, Math.floor(Math.log10(size / 2)));
    const snapped = this.snap(origin, cell * 5, normal);
    for (const sheet of [this.grid, this.shadowCatcher]) {
      sheet.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
      sheet.position.copy(snapped).addScaledVector(normal, sheet === this.grid ? 0 : -1e-3 * size);
      sheet.scale.setScalar(1);
      sheet.geometry.dispose();
      sheet.geometry = new THREE.PlaneGeometry(16 * size, 16 * size);
    }
    this.grid.material.uniforms.cell.value = cell;
    this.grid.material.uniforms.reach.value = 3.2 * size;
    this.placeLights(middle, size);
    this.camera.near = size / 200;
    this.camera.far = size * 60;
    this.view('home');
  }

  /** Says anew how much room the motion takes; ground and light stay. */
  setRoom(box: THREE.Box3): void {
    this.box = box;
  }

  showGrid(on: boolean): void {
    this.grid.visible = on;
    this.shadowCatcher.visible = on;
    this.draw();
  }

  /** How far the ground is from the origin, along its normal. */
  groundHeight(): number {
    return this.grid.position.dot(new THREE.Vector3(0, 0, 1).applyQuaternion(this.grid.quaternion));
  }

  size(): number {
    return Math.max(1e-3, this.box.getSize(new THREE.Vector3()).length());
  }

  /** Directions of sight: home looks along the direction in which the mechanism is thinnest. */
  view(name: 'home' | 'front' | 'side' | 'top'): void {
    this.viewed = name;
    const [ahead, right] = this.horizontal();
    const from = {
      home: ahead.clone().multiplyScalar(-1).addScaledVector(right, 0.52).addScaledVector(this.up, 0.38),
      front: ahead.clone().multiplyScalar(-1),
      side: right.clone(),
      top: this.up.clone().addScaledVector(ahead, -0.001),
    }[name];
    this.lookFrom(from.normalize());
  }

  private lookFrom(direction: THREE.Vector3): void {
    const middle = this.box.getCenter(new THREE.Vector3());
    const forward = direction.clone().negate();
    const right = new THREE.Vector3().crossVectors(forward, this.up).normalize();
    const above = new THREE.Vector3().crossVectors(right, forward);
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    let distance = 0.1 * this.size();
    for (let i = 0; i < 8; ++i) {
      const corner = new THREE.Vector3(
        i & 1 ? this.box.max.x : this.box.min.x,
        i & 2 ? this.box.max.y : this.box.min.y,
        i & 4 ? this.box.max.z : this.box.min.z,
      ).sub(middle);
      const across = Math.max(Math.abs(corner.dot(above)), Math.abs(corner.dot(right)) / this.camera.aspect);
      distance = Math.max(distance, 1.12 * (across / tangent) - corner.dot(forward));
    }
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  /** Two horizontal directions: the one in which the box is thinner, and the one to its right. */
  private horizontal(): [THREE.Vector3, THREE.Vector3] {
    const axes = [new THREE.Vector3(0, 1, 0), new THREE.Vector3(-1, 0, 0), new THREE.Vector3(0, 0, -1)]
      .map((axis) => axis.addScaledVector(this.up, -axis.dot(this.up)))
      .filter((axis) => axis.length() > 0.5)
      .map((axis) => axis.normalize());
    const extent = this.box.getSize(new THREE.Vector3());
    const wide = (axis: THREE.Vector3): number =>
      Math.abs(axis.x) * extent.x + Math.abs(axis.y) * extent.y + Math.abs(axis.z) * extent.z;
    const ahead = axes.reduce((best, axis) => (wide(axis) < 0.8 * wide(best) ? axis : best));
    return [ahead, new THREE.Vector3().crossVectors(ahead, this.up).normalize()];
  }

  private snap(point: THREE.Vector3, cell: number, normal: THREE.Vector3): THREE.Vector3 {
    const height = point.dot(normal);
    const out = point.clone().divideScalar(cell).round().multiplyScalar(cell);
    return out.addScaledVector(normal, height - out.dot(normal));
  }

  private placeLights(middle: THREE.Vector3, size: number): void {
    const [ahead, right] = this.horizontal();
    const far = 2.2 * size;
    this.sun.position.copy(middle).addScaledVector(this.up, far).addScaledVector(right, 0.5 * far).addScaledVector(ahead, -0.6 * far);
    this.sun.target.position.copy(middle);
    this.fill.position.copy(middle).addScaledVector(this.up, 0.4 * far).addScaledVector(right, -far);
    this.sky.position.copy(this.up);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.1 * size;
    shadow.right = shadow.top = 1.1 * size;
    shadow.near = 0.1 * size;
    shadow.far = 6 * size;
    this.sun.shadow.normalBias = 0.004 * size;
    shadow.updateProjectionMatrix();
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.addEventListener('change', () => this.draw());
    controls.addEventListener('start', () => (this.viewed = undefined));
    return controls;
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (this.viewed) this.view(this.viewed);
    this.drawNow();
  }
}
