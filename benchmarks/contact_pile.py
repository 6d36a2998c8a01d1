"""Boxes that are dropped askew on one another and tumble into a pile: few contacts stay from one step to the next. Described
once, written as a scene and as MJCF."""
import math
import random

FRICTION, SIDE, PITCH, DENSITY = 0.6, 0.1, 0.16, 500
STEP, SECONDS, LAYERS = 0.005, 1.0, 5


class Pile:
    def __init__(self, count):
        chance = random.Random(count)
        across = math.ceil(math.sqrt(count / LAYERS))
        self.name, self.step, self.seconds, self.moving = f"pile_{count}_contact", STEP, SECONDS, SECONDS
        self.boxes = []  # quaternion and position
        for i in range(count):
            layer, rest = divmod(i, across * across)
            x, y = ((k - across / 2) * PITCH + chance.uniform(-0.01, 0.01) for k in divmod(rest, across))
            axis = [chance.gauss(0, 1) for _ in range(3)]
            size, half = math.hypot(*axis), chance.uniform(0, 0.3) / 2
            turn = [math.cos(half), *(math.sin(half) * a / size for a in axis)]
            self.boxes.append((turn, (x, y, 0.09 + layer * PITCH)))
        self.followed = [f"box{i}" for i in range(count)]

    def scene(self):
        out = ['cardan = 1', f'name = "{self.name}"', '[ground]', f'friction = {FRICTION}', '[[contact]]', f'friction = {FRICTION}']
        for i, (turn, at) in enumerate(self.boxes):
            out += ['[[body]]', f'name = "box{i}"', '[[body.shape]]', f'box = {[SIDE] * 3}', f'density = {DENSITY}', '[body.joint]',
                    'type = "free"', f'q = {[*turn, *at]}']
        return '\n'.join(out) + '\n'

    def mjcf(self):
        def numbers(values):
            return ' '.join(repr(float(x)) for x in values)

        t = (f'<mujoco><option timestep="{self.step}" cone="elliptic"/><size memory="500M"/><worldbody>'
             f'<geom type="plane" size="50 50 1" friction="{FRICTION}"/>')
        for i, (turn, at) in enumerate(self.boxes):
            t += (f'<body name="box{i}" pos="{numbers(at)}" quat="{numbers(turn)}"><freejoint/>'
                  f'<geom type="box" size="{numbers([SIDE / 2] * 3)}" density="{DENSITY}" friction="{FRICTION}"/></body>')
        return t + '</worldbody></mujoco>'
