"""Sweeps: one scene with many values of its parameters, over any executor."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from ._cardan import Error
from .scene import Scene
from .trajectory import simulate

_OUTCOMES = {
    "final": lambda x: x[-1],
    "min": lambda x: x.min(axis=0),
    "max": lambda x: x.max(axis=0),
    "rms": lambda x: np.sqrt(np.mean(x * x, axis=0)),
}


class Sweep(NamedTuple):
    """A row for each run: `columns` names those of `table` (runs, columns); `status` is "done" or why a run failed."""

    columns: "list[str]"
    table: np.ndarray
    status: "list[str]"

    def __getitem__(self, name):
        """A column (runs,) by its name."""
        return self.table[:, self.columns.index(name)] if isinstance(name, str) else tuple.__getitem__(self, name)


def _outcome(run, name: str) -> float:
    record, _, kind = name.rpartition(".")
    return float(_OUTCOMES[kind](run[record]))


def _one(job) -> "tuple[list[float], str]":
    """Runs one row; what it says depends on nothing but the job, whoever runs it and wherever."""
    scene, values, outcomes, options = job
    try:
        run = simulate(scene, parameters=values, **options)
    except Error as problem:
        return [float("nan")] * len(outcomes), str(problem)
    return [_outcome(run, name) for name in outcomes], "done"


def _results(executor, jobs: list) -> list:
    if executor is None:
        return [_one(job) for job in jobs]
    found = executor.map(_one, jobs)
    if hasattr(executor, "gather"):  # a Dask client gives futures
        return list(executor.gather(list(found)))
    return list(found)


def sweep(scene, parameters: dict, of: "list[str]", executor=None, **options) -> Sweep:
    """Runs a scene at all combinations of parameter values: parameters = {NAME: values}, names as of --set.

    of: outcomes COLUMN.final, .min, .max or .rms. executor: anything with a map(), such as a ProcessPoolExecutor, an
    MPIPoolExecutor or a Dask client; the table is the same, bit for bit. Options are those of simulate(). A run that
    fails has NaN, and `status` says why.
    """
    if isinstance(of, str):
        raise ValueError(f"of: expected a list of outcomes, found {of!r}")
    for name in of:
        if name.rpartition(".")[2] not in _OUTCOMES or not name.rpartition(".")[0]:
            raise ValueError(f"of: expected COLUMN.final, .min, .max or .rms, found {name!r}")
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    names = list(parameters)
    rows = list(itertools.product(*[np.asarray(parameters[name], float).ravel().tolist() for name in names]))
    found = _results(executor, [(scene, dict(zip(names, row)), list(of), options) for row in rows])
    table = np.array([list(row) + numbers for row, (numbers, _) in zip(rows, found)]).reshape(len(rows), -1)
    return Sweep(names + list(of), table, [status for _, status in found])
