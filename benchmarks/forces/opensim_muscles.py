"""What cardan_bench_forces times, by OpenSim: lengths, speeds and moment arms of the 18 muscles of gait10dof18musc.

    pip install opensim
    python3 benchmarks/forces/opensim_muscles.py ../shared/data/forces/models/gait10dof18musc.osim

Prints CPU microseconds a pose (Python's own loop included). Moment arms are asked only for coordinates that the muscle
spans.
"""
import math
import sys
import time

import opensim

opensim.Logger.setLevelString("Error")
model = opensim.Model(sys.argv[1])
state = model.initSystem()
coordinates = [model.getCoordinateSet().get(i) for i in range(model.getCoordinateSet().getSize())]
muscles = [model.getMuscles().get(i) for i in range(model.getMuscles().getSize())]


def pose(i):
    values = opensim.Vector(state.getNU(), 0.0)
    for k in range(values.size()):
        values.set(k, 0.3 * math.sin(1.3 * i + 2.1 * k))
    state.setQ(values)
    state.setU(values)
    model.realizeVelocity(state)


pose(1)
spans = [
    (muscle, [c for c in coordinates if abs(muscle.getGeometryPath().computeMomentArm(state, c)) > 1e-9])
    for muscle in muscles
]
best = {"lengths and speeds": 1e9, "moment arms": 1e9, "kinematics": 1e9}
for block in range(20):
    spent = dict.fromkeys(best, 0.0)
    for i in range(20):
        t = time.process_time()
        pose(i + 20 * block)
        spent["kinematics"] += time.process_time() - t
        t = time.process_time()
        for muscle in muscles:
            muscle.getLength(state)
            muscle.getLengtheningSpeed(state)
        spent["lengths and speeds"] += time.process_time() - t
        t = time.process_time()
        for muscle, spanned in spans:
            for coordinate in spanned:
                muscle.getGeometryPath().computeMomentArm(state, coordinate)
        spent["moment arms"] += time.process_time() - t
    best = {key: min(best[key], spent[key] / 20) for key in best}
for key, value in best.items():
    print(f"{key:20} {1e6 * value:8.1f} us")
print(f"{'together':20} {1e6 * sum(best.values()):8.1f} us, {sum(len(s) for _, s in spans)} moment arms, OpenSim {opensim.GetVersion()}")
