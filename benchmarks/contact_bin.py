"""Boxes in a bin: layers that are not quite even fall by a few millimeters and settle. Described once, written as a scene
and as MJCF, and built in PyBullet."""
import math
import random

FRICTION, SIDE, PITCH, WALL = 0.5, 0.1, 0.115, 0.05
STEP, SECONDS = 0.002, 1.0


class Bin:
    def __init__(self, count):
        chance = random.Random(count)
        across = max(2, round(count ** (1 / 3)))
        self.name, self.step, self.seconds, self.moving = f"bin_{count}_contact", STEP, SECONDS, 20 * STEP
        self.half, self.height = across * PITCH / 2 + 0.01, (count // across ** 2 + 2) * PITCH
        self.boxes = []  # size, mass, position, yaw
        for i in range(count):
            layer, rest = divmod(i, across * across)
            size = [SIDE * chance.uniform(0.9, 1.0) for _ in range(2)] + [SIDE]
            x, y = ((k - (across - 1) / 2) * PITCH + chance.uniform(-0.005, 0.005) for k in divmod(rest, across))
            self.boxes.append((size, chance.uniform(0.5, 1.5), (x, y, 0.503 * SIDE + layer * 1.005 * SIDE),
                               chance.uniform(-0.05, 0.05)))
        self.followed = [f"box{i}" for i in range(count)]
        reach = self.half + 2 * WALL
        self.walls = [((s * (self.half + WALL), 0, self.height / 2), (WALL, reach, self.height / 2)) for s in (1, -1)]
        self.walls += [((0, s * (self.half + WALL), self.height / 2), (self.half, WALL, self.height / 2)) for s in (1, -1)]

    @staticmethod
    def inertia(size, mass):
        square = [x * x for x in size]
        return [mass * (sum(square) - x) / 12 for x in square]

    def scene(self):
        out = ['cardan = 1', f'name = "{self.name}"', '[ground]', f'friction = {FRICTION}', '[[contact]]', f'friction = {FRICTION}']
        for i, (at, half) in enumerate(self.walls):
            out += ['[[body]]', f'name = "wall{i}"', 'mass = 1', '[[body.shape]]', f'box = {[2 * x for x in half]}',
                    '[body.joint]', 'type = "fixed"', f'at = {{ xyz = {list(at)} }}']
        for i, (size, mass, at, yaw) in enumerate(self.boxes):
            out += ['[[body]]', f'name = "box{i}"', f'mass = {mass}', f'inertia = {self.inertia(size, mass) + [0, 0, 0]}',
                    '[[body.shape]]', f'box = {size}', '[body.joint]', 'type = "free"',
                    f'q = {[math.cos(yaw / 2), 0, 0, math.sin(yaw / 2), *at]}']
        return '\n'.join(out) + '\n'

    def mjcf(self):
        def numbers(values):
            return ' '.join(repr(float(x)) for x in values)

        t = (f'<mujoco><option timestep="{self.step}" cone="elliptic"/><worldbody>'
             f'<geom type="plane" size="10 10 1" friction="{FRICTION}"/>')
        for at, half in self.walls:
            t += f'<geom type="box" pos="{numbers(at)}" size="{numbers(half)}" friction="{FRICTION}"/>'
        for i, (size, mass, at, yaw) in enumerate(self.boxes):
            t += (f'<body name="box{i}" pos="{numbers(at)}" quat="{numbers((math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)))}"><freejoint/>'
                  f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{numbers(self.inertia(size, mass))}"/>'
                  f'<geom type="box" size="{numbers(x / 2 for x in size)}" friction="{FRICTION}"/></body>')
        return t + '</worldbody></mujoco>'

    def build_in_bullet(self, bullet):
        """Returns the boxes."""
        def make(half, mass, at, yaw):
            shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half)
            body = bullet.createMultiBody(mass, shape, basePosition=at, baseOrientation=(0, 0, math.sin(yaw / 2), math.cos(yaw / 2)))
            bullet.changeDynamics(body, -1, lateralFriction=FRICTION)
            return body

        plane = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
        bullet.changeDynamics(plane, -1, lateralFriction=1)  # coefficients are multiplied
        for at, half in self.walls:
            bullet.changeDynamics(make(half, 0, at, 0), -1, lateralFriction=1)
        return [make([x / 2 for x in size], mass, at, yaw) for size, mass, at, yaw in self.boxes]
