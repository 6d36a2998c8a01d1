"""Lengths, speeds and moment arms of 18 muscles by Cardan and by OpenSim, in turns.

usage: paths_against_opensim.py CARDAN_BENCH_FORCES gait10dof18musc.osim
Run by `make bench-forces`, which fetches OpenSim 4.6. Cardan's program times two legs with the bodies, muscles and
numbers of points of that model. OpenSim is called by its own Python module, whose calls are timed alone and taken off.
"""
import math
import re
import statistics
import subprocess
import sys
import time

import opensim

STATES, ROUNDS = 200, 5


def cardan(program):
    """Microseconds a state, and what else the program says."""
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"18 muscles.*?([0-9.]+) us", text).group(1)), text


class Legs:
    """OpenSim's model; moment arms are asked only for coordinates that the muscle spans."""

    def __init__(self, path):
        opensim.Logger.setLevelString("Error")
        self.model = opensim.Model(path)
        self.state = self.model.initSystem()
        muscles = self.model.getMuscles()
        self.paths = [muscles.get(i).getGeometryPath() for i in range(muscles.getSize())]
        coordinates = [self.model.getCoordinateSet().get(i) for i in range(self.model.getCoordinateSet().getSize())]
        self.pose(1)
        self.spans = [[c for c in coordinates if abs(path.computeMomentArm(self.state, c)) > 1e-9]
                      for path in self.paths]

    def pose(self, i):
        values = opensim.Vector(self.state.getNU(), 0.0)
        for k in range(values.size()):
            values.set(k, 0.3 * math.sin(1.3 * i + 2.1 * k))
        self.state.setQ(values)
        self.state.setU(values)
        self.model.realizeVelocity(self.state)

    def evaluate(self, i):
        """Kinematics, lengths, speeds and moment arms, at a state that has not been asked before."""
        self.pose(i)
        for path, spanned in zip(self.paths, self.spans):
            path.getLength(self.state)
            path.getLengtheningSpeed(self.state)
            for coordinate in spanned:
                path.computeMomentArm(self.state, coordinate)

    def calls(self, _):
        """As many calls into the module that do nothing."""
        for path, spanned in zip(self.paths, self.spans):
            path.getConcreteClassName()
            path.getConcreteClassName()
            for coordinate in spanned:
                coordinate.getDefaultValue()


def timed(work, repeats):
    start = time.process_time()
    for i in range(repeats):
        work(i)
    return 1e6 * (time.process_time() - start) / repeats


def main():
    program, path = sys.argv[1:]
    legs = Legs(path)
    print(f"OpenSim {opensim.GetVersion()}, {len(legs.paths)} muscles, {sum(map(len, legs.spans))} moment arms")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        microseconds, text = cardan(program)
        ours.append(microseconds)
        theirs.append(timed(legs.evaluate, STATES) - timed(legs.calls, STATES))
    print(text, end="")
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    print(f"cardan {ours:.1f} us, OpenSim {theirs:,.0f} us a state (calls from Python taken off), ratio {theirs / ours:,.0f}")


if __name__ == "__main__":
    main()
