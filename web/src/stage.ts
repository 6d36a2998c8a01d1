// The three-dimensional picture: renderer, light, ground, camera. Draws only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Floor } from './floor';
import { cornersOf } from './framing';
import { kThemes, type Theme } from './palette';

/** A direction of sight. */
export type Sight = 'home' | 'front' | 'side' | 'top';
/** Of the camera, from bottom to top, in degrees: a longer lens than phones have. */
const kAngle = 28;
/** How much wider the picture is than what it is to show. */
const kMargin = 1.13;

export class Stage {
  readonly scene = new THREE.Scene();
  private readonly lens = new THREE.PerspectiveCamera(kAngle, 1, 0.01, 1000);
  private readonly drawing = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.lens;
  readonly renderer: THREE.WebGLRenderer;
  controls: OrbitControls;
  up = new THREE.Vector3(0, 0, 1);
  /** Direction from the mechanism to the camera that the scene asks for. */
  asked: THREE.Vector3 | undefined;
  readonly floor = new Floor();
  private readonly sun = new THREE.DirectionalLight(0xfff1de, 1.75);
  /** From straight above: the soft dark under things that stand. */
  private readonly above = new THREE.DirectionalLight(0xffffff, 0.75);
  private readonly rim = new THREE.DirectionalLight(0xcfe0ff, 0.55);
  private readonly sky = new THREE.HemisphereLight(0xf4f8ff, 0xc9c1b8, 2.05);
  private box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  /** What is to be seen, from the middle of the box. */
  private points = cornersOf(this.box);
  private readonly skyColor = new THREE.Color();
  private pending = false;
  private viewed: Sight | undefined = 'home'; // until the user turns the camera
  private readonly beforeDraw: (() => void)[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    for (const [light, map, radius] of [[this.sun, 2048, 5], [this.above, 512, 6]] as const) {
      light.castShadow = true;
      light.shadow.mapSize.set(map, map);
      light.shadow.radius = radius;
    }
    this.above.shadow.intensity = 0.7;
    this.scene.add(this.floor.group, this.sky);
    for (const light of [this.sun, this.above, this.rim]) this.scene.add(light, light.target);
    this.controls = this.makeControls();
    this.setTheme(kThemes.light);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  setTheme(theme: Theme): void {
    this.skyColor.set(theme.sky);
    this.scene.background = this.skyColor;
    this.floor.setTheme(theme);
    this.sky.groundColor.set(theme.name === 'light' ? 0xc9c1b8 : 0x7a746d);
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
   * Says which way is up, how much room the motion takes and how large the mechanism is; light and camera follow. The
   * ground is where the scene has it, else below the mechanism.
   */
  frame(box: THREE.Box3, points: THREE.Vector3[], size: number, up: THREE.Vector3, plane?: { normal: [number, number, number]; height: number }): void {
    this.box = box;
    this.points = points;
    this.up.copy(up);
    this.controls.dispose();
    for (const camera of [this.lens, this.drawing]) camera.up.copy(up);
    this.controls = this.makeControls();
    const middle = box.getCenter(new THREE.Vector3());
    const normal = plane ? new THREE.Vector3(...plane.normal) : up;
    const ground = plane ? plane.height : this.below(size);
    this.floor.place(middle.clone().addScaledVector(normal, ground - middle.dot(normal)), normal, Math.max(size, 0.5 * this.size()));
    this.placeLights();
    this.view('home');
  }

  /** A mechanism that stands on the plane through the origin has its ground there, one that hangs below it. */
  private below(size: number): number {
    const heights = [this.box.min.dot(this.up), this.box.max.dot(this.up)].sort((a, b) => a - b);
    return heights[0] > -0.02 * size && heights[0] < 0.3 * size ? Math.min(0, heights[0]) : heights[0] - 0.03 * size;
  }

  /** Says anew how much room the motion takes; the ground stays. */
  setRoom(box: THREE.Box3, points: THREE.Vector3[]): void {
    this.box = box;
    this.points = points;
    this.placeLights();
  }

  /** Moves camera, light and what is looked at along with something. */
  goAlong(by: THREE.Vector3): void {
    this.box.translate(by);
    this.camera.position.add(by);
    this.controls.target.add(by);
    for (const light of [this.sun, this.above, this.rim]) {
      light.position.add(by);
      light.target.position.add(by);
    }
    const middle = this.box.getCenter(new THREE.Vector3());
    this.floor.goTo(middle);
    this.camera.lookAt(this.controls.target);
  }

  /** Draws in a size that is not the window's, for pictures and films; undefined: as large as the window again. */
  setFixedSize(size: { width: number; height: number } | undefined): void {
    this.fixed = size && { width: size.width, height: size.height };
    this.renderer.setPixelRatio(size ? 1 : Math.min(2, window.devicePixelRatio));
    if (size) {
      this.renderer.setSize(size.width, size.height, false);
      this.fit();
      if (this.viewed) this.view(this.viewed);
    } else this.resize();
  }
  private fixed: { width: number; height: number } | undefined;

  /** Leaves sky and floor out, so that what is behind the picture shows. */
  setTransparent(on: boolean): void {
    this.scene.background = on ? null : this.skyColor;
    this.floor.setTransparent(on);
  }

  showGrid(on: boolean): void {
    this.floor.group.visible = on;
    this.draw();
  }

  size(): number {
    return Math.max(1e-3, this.box.getSize(new THREE.Vector3()).length());
  }

  /** How many pixels a meter has where the camera looks. */
  pixelsPerMeter(): number {
    const height = this.canvas.clientHeight;
    if (this.camera === this.drawing) return (height * this.drawing.zoom) / (this.drawing.top - this.drawing.bottom);
    const distance = this.camera.position.distanceTo(this.controls.target);
    return height / (2 * distance * Math.tan(THREE.MathUtils.degToRad(kAngle / 2)));
  }

  isOrthographic(): boolean {
    return this.camera === this.drawing;
  }
  /** Lengths as they are, or as an eye sees them, from where the camera is. */
  setOrthographic(on: boolean): void {
    const [from, to] = [this.camera, on ? this.drawing : this.lens];
    if (from === to) return;
    const target = this.controls.target.clone();
    const pixels = this.pixelsPerMeter();
    to.position.copy(from.position);
    this.camera = to;
    this.controls.dispose();
    this.controls = this.makeControls();
    this.controls.target.copy(target);
    if (on) this.setDrawing(this.canvas.clientHeight / (2 * pixels || 1));
    this.fit();
    this.controls.update();
    this.draw();
  }

  /** Directions of sight: home looks along the direction in which the mechanism is thinnest, or as the scene asks. */
  view(name: Sight): void {
    this.viewed = name;
    const [ahead, right] = this.horizontal();
    const from = {
      home: this.asked?.clone() ?? ahead.clone().multiplyScalar(-1).addScaledVector(right, 0.55).addScaledVector(this.up, 0.34),
      front: ahead.clone().multiplyScalar(-1),
      side: right.clone(),
      top: this.up.clone().addScaledVector(ahead, -0.001),
    }[name];
    this.setOrthographic(name !== 'home');
    this.lookFrom(from.normalize());
  }

  private lookFrom(direction: THREE.Vector3): void {
    const middle = this.box.getCenter(new THREE.Vector3());
    const forward = direction.clone().negate();
    const right = new THREE.Vector3().crossVectors(forward, this.up).normalize();
    const above = new THREE.Vector3().crossVectors(right, forward);
    const tall = Math.tan(THREE.MathUtils.degToRad(kAngle / 2)) / kMargin;
    // a point is inside where |x - center| <= tangent (distance + depth): the bounds of all points give center and distance
    const fit = (axis: THREE.Vector3, tangent: number): { low: number; high: number; center: number; distance: number } => {
      let [low, high, a, b] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const p of this.points) {
        const [x, depth] = [p.dot(axis), p.dot(forward)];
        [low, high] = [Math.min(low, x), Math.max(high, x)];
        [a, b] = [Math.min(a, x + tangent * depth), Math.max(b, x - tangent * depth)];
      }
      return { low, high, center: (a + b) / 2, distance: (b - a) / (2 * tangent) };
    };
    const across = fit(right, tall * this.aspect());
    const upward = fit(above, tall);
    const distance = Math.max(across.distance, upward.distance, 0.1 * this.size());
    const flat = this.camera === this.drawing;
    middle.addScaledVector(right, flat ? (across.low + across.high) / 2 : across.center);
    middle.addScaledVector(above, flat ? (upward.low + upward.high) / 2 : upward.center);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, flat ? 3 * this.size() : distance);
    this.setDrawing((kMargin / 2) * Math.max(upward.high - upward.low, (across.high - across.low) / this.aspect(), 1e-3 * this.size()));
    this.fit();
    this.controls.update();
    this.draw();
  }

  /** Half the height that the orthographic camera shows. */
  private setDrawing(half: number): void {
    this.drawing.zoom = 1;
    [this.drawing.top, this.drawing.bottom] = [half, -half];
  }
  private aspect(): number {
    if (this.fixed) return this.fixed.width / this.fixed.height;
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }
  /** Fits both cameras to the canvas and to the size of what they show. */
  private fit(): void {
    const size = this.size();
    this.lens.aspect = this.aspect();
    [this.drawing.right, this.drawing.left] = [this.drawing.top * this.aspect(), -this.drawing.top * this.aspect()];
    for (const camera of [this.lens, this.drawing]) {
      camera.near = size / 200;
      camera.far = size * 60;
      camera.updateProjectionMatrix();
    }
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

  /** The sun stands behind the left shoulder of who looks from home, the rim light behind the mechanism. */
  private placeLights(): void {
    const middle = this.box.getCenter(new THREE.Vector3());
    const size = this.size();
    const [ahead, right] = this.horizontal();
    const far = 2.2 * size;
    const put = (light: THREE.DirectionalLight, up: number, toRight: number, forward: number): void => {
      light.position.copy(middle).addScaledVector(this.up, up * far).addScaledVector(right, toRight * far).addScaledVector(ahead, forward * far);
      light.target.position.copy(middle);
    };
    put(this.sun, 1, -0.42, -0.4);
    put(this.above, 1, 0, 0.001);
    put(this.rim, 0.35, 0.6, 0.9);
    this.sky.position.copy(this.up);
    for (const [light, reach] of [[this.sun, 0.8], [this.above, 0.8]] as const) {
      const shadow = light.shadow.camera;
      shadow.left = shadow.bottom = -reach * size;
      shadow.right = shadow.top = reach * size;
      shadow.near = 0.1 * size;
      shadow.far = 6 * size;
      light.shadow.normalBias = 0.004 * size;
      shadow.updateProjectionMatrix();
    }
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
    if (this.fixed || clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.fit();
    if (this.viewed) this.view(this.viewed);
    this.drawNow();
  }
}
