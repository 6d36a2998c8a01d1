"""Runs that a program moves step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._cardan import Model, _Simulator
from .choices import choices, spec_of


@dataclass
class State:
    """All that a run needs to go on: time, coordinates, velocities, states of forces, inputs. May be pickled."""

    t: float
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    u: np.ndarray


class Simulator:
    """A run that a program moves.

        sim = cardan.Simulator("cart.toml")
        while sim.t < 2:
            sim.u[:] = -20 * sim.q[0] - 2 * sim.v[0]
            sim.step()

    A step is that of the scene; 10 ms of an adaptive method where the scene has none. `dt` may be set. Inputs hold
    during a step. `q` and `v` are views of the present state; set `state` to change it.
    """

    def __init__(self, scene, *, parameters=None, **options) -> None:
        self._sim = _Simulator(spec_of(scene, parameters), choices(options))
        self.inputs: "list[str]" = self._sim.inputs

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._sim.t

    @property
    def dt(self) -> float:
        """How far step() goes [s]."""
        return self._sim.dt

    @dt.setter
    def dt(self, value: float) -> None:
        self._sim.dt = value

    @property
    def q(self) -> np.ndarray:
        """Coordinates (nq,), a view that follows the run and cannot be written."""
        return self._sim.q

    @property
    def v(self) -> np.ndarray:
        """Velocities (nv,), likewise."""
        return self._sim.v

    @property
    def u(self) -> np.ndarray:
        """Inputs in the order of `inputs`; write them."""
        return self._sim.u

    @property
    def model(self) -> Model:
        return self._sim.model

    @property
    def energy(self) -> float:
        """Kinetic and potential energy [J]."""
        return self._sim.energy

    @property
    def warnings(self) -> "list[str]":
        return self._sim.warnings

    def step(self, n: int = 1) -> None:
        """Goes on by n steps. Raises cardan.Error where a step cannot be made."""
        self._sim.step(n)

    def reset(self) -> None:
        """Goes back to the scene's initial state."""
        self._sim.reset()

    @property
    def state(self) -> State:
        sim = self._sim
        return State(sim.t, np.array(sim.q), np.array(sim.v), np.array(sim.z), np.array(sim.u))

    @state.setter
    def state(self, state: State) -> None:
        self._sim.set_state(state.t, *[np.asarray(x, float).tolist() for x in (state.q, state.v, state.z, state.u)])

    def record(self, name: str):
        """What a [[record]] says now: a number, or all its parts (k,)."""
        records = self._sim.records()
        if name in records:
            return records[name]
        parts = [value for column, value in records.items() if column.startswith(name + ".")]
        if not parts:
            raise KeyError(name)
        return np.array(parts)
