"""What a call from Python costs beside the work itself: build/python/bin/python3 benchmarks/python_calls.py [ROBOT.urdf]

Prints ns, the least of many short loops. "C++" of a dynamics call is the slope over the rows of small batches, which the
same code computes one after another; "C++" of a step is a step of step(n).
"""

import os
import subprocess
import sys
import time
import timeit

import numpy as np

import cardan

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "examples")


def least(work, calls=1000, rounds=60):
    return min(timeit.repeat(work, number=calls, repeat=rounds)) / calls * 1e9


def dynamics(path):
    model = cardan.load(path)
    rng = np.random.default_rng(0)

    def arguments(shape):
        v, tau = rng.normal(size=(2,) + shape + (model.nv,))
        return model.integrate(model.neutral(), 0.5 * v), v, tau, np.empty(shape + (model.nv,))

    q, v, tau, a = arguments(())
    one = least(lambda: model.forward_dynamics(q, v, tau, out=a))
    function = least(lambda: cardan.forward_dynamics(model, q, v, tau, out=a))
    new = least(lambda: model.forward_dynamics(q, v, tau))
    times = []
    for rows in (6, 30):
        many = arguments((rows,))
        times.append(least(lambda: model.forward_dynamics(*many)))
    inside = (times[1] - times[0]) / 24
    print(f"{os.path.basename(path)}, {model.nv} velocities: forward dynamics {inside:.0f} in C++")
    print(f"  model.forward_dynamics(q, v, tau, out=a)          {one:6.0f}: {one - inside:.0f} above")
    print(f"  cardan.forward_dynamics(model, q, v, tau, out=a)  {function:6.0f}: {function - inside:.0f} above")
    print(f"  model.forward_dynamics(q, v, tau)                 {new:6.0f}: {new - inside:.0f} above")


def steps(name):
    sim = cardan.Simulator(os.path.join(EXAMPLES, name))
    n = 200
    inside = least(lambda: sim.step(n), 1, 100) / n
    one = least(sim.step, n, 100)
    print(f"{name}: a step {inside:.0f} in C++, sim.step() {one:.0f}: {one - inside:.0f} above")


def importing():
    def seconds(text):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", text], check=True)
        return time.perf_counter() - begin

    found = {text: min(seconds(text) for _ in range(7)) for text in ("pass", "import numpy", "import cardan")}
    print("start of the interpreter, with the import: " + ", ".join(f"{k} {v:.3f} s" for k, v in found.items()))


for path in sys.argv[1:] or [os.path.join(EXAMPLES, "double_pendulum.urdf"), os.path.join(EXAMPLES, "humanoid.urdf")]:
    dynamics(path)
steps("pendulum.toml")
importing()
