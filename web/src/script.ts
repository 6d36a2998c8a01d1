// What scripts and tests may ask of the page: `window.cardan`.
import * as THREE from 'three';
import type { Viewer } from './viewer';

/** Gives scripts and tests the object `cardan`: poses as the page draws them, and what belongs to the instant. */
export function exposeForScripts(viewer: Viewer, canvas: HTMLCanvasElement, playing: () => boolean): void {
  Object.assign(window, {
    cardan: {
      seek(t: number) {
        viewer.player.seek(t);
        viewer.stage.drawNow();
      },
      /** Goes to an instant without drawing it. */
      place: (t: number) => (viewer.player.seek(t), viewer.update()),
      time: () => viewer.player.time,
      playing,
      frames: () => viewer.run.frames,
      selected: () => viewer.selected,
      select: (body: number) => viewer.select(body),
      /** Position and quaternion (w, x, y, z) of every body, by name, from the matrices that are drawn. */
      poses() {
        viewer.stage.drawNow();
        const out: Record<string, number[]> = {};
        viewer.mechanism?.bodies.forEach((body, i) => {
          const p = new THREE.Vector3();
          const q = new THREE.Quaternion();
          viewer.bodies!.world[i + 1].decompose(p, q, new THREE.Vector3());
          out[body.name] = [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
        });
        return out;
      },
      /** Where a body's center of mass is on the screen. */
      screen(body: number) {
        const at = new THREE.Vector3(...viewer.mechanism!.bodies[body - 1].com).applyMatrix4(viewer.bodies!.world[body]).project(viewer.stage.camera);
        const box = canvas.getBoundingClientRect();
        return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
      },
      /** Height of the ground that is drawn, along its normal. */
      ground: () => viewer.stage.floor.height,
      parameter: (name: string) => viewer.mechanism!.parameters?.find((p) => p.name === name)?.value,
      /** Contact forces of this instant, seven numbers each: point, force, body. */
      contacts: () => [...(viewer.run.contacts(viewer.player.time) as number[])],
      /** Arrows that are drawn: where they begin, the force, the points that they stand for. */
      arrows: () => viewer.overlays!.arrows.drawn.map(({ at, force, points }) => ({ at: at.toArray(), force: force.toArray(), points: points.map((p) => p.toArray()) })),
      /** What the mechanism fills of the screen at this instant, but for bodies that have left it: [left, top, right, bottom]. */
      extent() {
        viewer.update();
        viewer.stage.camera.updateMatrixWorld();
        const box = canvas.getBoundingClientRect();
        const out = [Infinity, Infinity, -Infinity, -Infinity];
        viewer.bodies!.boxes().forEach((b, body) => {
          if (body === 0 || b.isEmpty() || viewer.framed()!.lost.has(body)) return;
          for (let i = 0; i < 8; ++i) {
            const p = new THREE.Vector3(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z).project(viewer.stage.camera);
            const at = [((p.x + 1) / 2) * box.width, ((1 - p.y) / 2) * box.height];
            for (const k of [0, 1]) {
              out[k] = Math.min(out[k], at[k]);
              out[k + 2] = Math.max(out[k + 2], at[k]);
            }
          }
        });
        return { box: out, width: box.width, height: box.height, lost: viewer.framed()!.lost.size };
      },
      charts: () => viewer.charts(),
      theme: (name: 'light' | 'dark') => viewer.setTheme(name),
      /** Points that a line which bends is drawn through. */
      line: (name: string) => {
        const [first, count] = viewer.mechanism!.lines.find((line) => line.name === name)!.traced!;
        return Array.from({ length: count }, (_, k) => viewer.run.tracedPoint(first + k, viewer.player.time));
      },
      value: (name: string) => viewer.run.value(viewer.mechanism!.columns.findIndex((c) => c.name === name), viewer.player.time),
    },
  });
}
