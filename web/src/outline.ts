// An outline of a few pixels around what is selected.
import * as THREE from 'three';

const kPixels = 2.5;

export class Outline {
  readonly group = new THREE.Group();
  private readonly material = new THREE.ShaderMaterial({
    side: THREE.BackSide,
    uniforms: { color: { value: new THREE.Color('#2a62e8') }, pixel: { value: new THREE.Vector2() } },
    vertexShader: `uniform vec2 pixel;
      void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        vec2 out2 = (projectionMatrix * vec4(normalMatrix * normal, 0.0)).xy / pixel;
        gl_Position.xy += ${kPixels.toFixed(1)} * 2.0 * gl_Position.w * pixel * out2 / max(1e-9, length(out2));
      }`,
    fragmentShader: `uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0);
      #include <colorspace_fragment>
    }`,
  });
  private readonly meshes: THREE.Mesh[] = [];

  setColor(color: string): void {
    this.material.uniforms.color.value.set(color);
  }

  /** Draws it around these, and around nothing else. */
  show(pieces: { geometry: THREE.BufferGeometry; matrix: THREE.Matrix4 }[]): void {
    while (this.meshes.length > pieces.length) this.meshes.pop()!.removeFromParent();
    pieces.forEach(({ geometry, matrix }, i) => {
      if (!this.meshes[i]) {
        this.meshes[i] = new THREE.Mesh(geometry, this.material);
        this.meshes[i].matrixAutoUpdate = this.meshes[i].frustumCulled = false;
        this.meshes[i].onBeforeRender = (renderer) => {
          const size = renderer.getSize(new THREE.Vector2());
          this.material.uniforms.pixel.value.set(1 / size.x, 1 / size.y);
        };
        this.group.add(this.meshes[i]);
      }
      this.meshes[i].geometry = geometry;
      this.meshes[i].matrix.copy(matrix);
    });
  }
}
