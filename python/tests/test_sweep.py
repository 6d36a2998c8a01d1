"""Sweeps: the same table whoever runs it."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import cardan
from test_model import example
from test_scene import cart

AXES = {"body.upper.mass": [1.0, 1.5, 2.0], "body.lower.joint.damping": [0.02, 0.1]}
OUTCOMES = ["q.lower.final", "energy.max", "q.lower.rms"]


class Futures:
    """What a Dask client does: map gives futures, gather their results."""

    def __init__(self, pool):
        self.pool = pool

    def map(self, function, jobs):
        return [self.pool.submit(function, job) for job in jobs]

    def gather(self, futures):
        return [future.result() for future in futures]


def test_executors_give_the_same_table():
    def sweep(executor=None):
        return cardan.sweep(example("pendulum.toml"), AXES, OUTCOMES, executor, duration=0.1)

    here = sweep()
    assert here.table.shape == (6, 5) and here.columns == list(AXES) + OUTCOMES and here.status == ["done"] * 6
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert sweep(pool).table.tobytes() == here.table.tobytes()
        assert sweep(Futures(pool)).table.tobytes() == here.table.tobytes()
    with ThreadPoolExecutor(2) as pool:
        assert sweep(pool).table.tobytes() == here.table.tobytes()
    run = cardan.simulate(
        example("pendulum.toml"), parameters={"body.upper.mass": 1.5, "body.lower.joint.damping": 0.1}, duration=0.1
    )
    assert here["q.lower.final"][3] == run["q.lower"][-1] and here["energy.max"][3] == run["energy"].max()
    assert len(set(here["q.lower.final"])) == 6


def test_runs_that_fail_stay_in_the_table():
    found = cardan.sweep(cart(), {"m": [1.0, -1.0]}, ["q.cart.final"])
    assert found.status[0] == "done" and "mass" in found.status[1]
    assert found.table[0, 1] == 0.0 and np.isnan(found.table[1, 1])
    with pytest.raises(ValueError, match="of: expected COLUMN.final"):
        cardan.sweep(cart(), {"m": [1.0]}, ["q.cart"])
    with pytest.raises(KeyError):
        cardan.sweep(cart(), {"m": [1.0]}, ["nothing.final"])
    with pytest.raises(ValueError, match="list of outcomes"):
        cardan.sweep(cart(), {"m": [1.0]}, "q.cart.final")
