"""Runs that a program moves step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._cardan import _Simulator
from .choices import choices, spec_of


@dataclass
class State:
    """All that a run needs to go on: time, coordinates, velocities, states of forces, inputs. May be pickled."""

    t: float
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    u: np.ndarray


class Simulator(_Simulator):
    """A run that a program moves.

        sim = cardan.Simulator("cart.toml")
        while sim.t < 2:
            sim.u[:] = -20 * sim.q[0] - 2 * sim.v[0]
            sim.step()

    A step is that of the scene; 10 ms of an adaptive method where the scene has none. `dt` may be set. Inputs hold
    during a step. `q` and `v` are views of the present state; set `state` to change it.
    """

    def __init__(self, scene, *, parameters=None, **options) -> None:
        super().__init__(spec_of(scene, parameters), choices(options))

    @property
    def state(self) -> State:
        return State(self.t, np.array(self.q), np.array(self.v), np.array(self.z), np.array(self.u))

    @state.setter
    def state(self, state: State) -> None:
        self._set_state(state.t, *[np.asarray(x, float).tolist() for x in (state.q, state.v, state.z, state.u)])

    def record(self, name: str):
        """What a [[record]] says now: a number, or all its parts (k,)."""
        records = self._records()
        if name in records:
            return records[name]
        parts = [value for column, value in records.items() if column.startswith(name + ".")]
        if not parts:
            raise KeyError(name)
        return np.array(parts)
