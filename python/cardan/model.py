"""Models: load them, and what can be computed of them."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from . import toml
from ._cardan import Model, _load_model, bias, forward_dynamics, gravity, inverse_dynamics, mass_matrix


class InverseDerivatives(NamedTuple):
    """Of inverse dynamics, each (..., nv, nv): entry [i, j] is d tau_i / d direction j."""

    dq: np.ndarray
    dv: np.ndarray
    da: np.ndarray


class ForwardDerivatives(NamedTuple):
    """Of forward dynamics, each (..., nv, nv): entry [i, j] is d a_i / d direction j."""

    dq: np.ndarray
    dv: np.ndarray
    dtau: np.ndarray


def load(path, base: str = "fixed", strict: bool = False) -> Model:
    """Loads a model: a scene (.toml), MuJoCo (.xml), Gazebo (.sdf) or OpenSim (.osim) model, of which it is the tree, or a robot (.urdf).

    `base = "free"` lets the root link of a robot float. Raises cardan.Error, one line, with file and line.
    """
    if base not in ("fixed", "free"):
        raise ValueError(f'base: expected "fixed" or "free", found {base!r}')
    path = os.fspath(path)
    model = _load_model(path, base, strict)
    if not path.endswith(".urdf"):
        from .scene import Scene

        model._toml = Scene(path).to_toml()
    else:
        robot = {"file": os.path.abspath(path), "base": base}
        model._toml = toml.file({"cardan": 1, "name": model.name, "robot": [robot]})
    return model


def _to_toml(self: Model) -> str:
    """The model as a scene file."""
    return self._toml


def inverse_dynamics_derivatives(model: Model, q, v, a) -> InverseDerivatives:
    """Derivatives of inverse dynamics by q (in the tangent space of the joints), v and a; exact."""
    found = model._inverse_dynamics_derivatives(q, v, a)
    return InverseDerivatives(found.by_q, found.by_v, found.by_last)


def forward_dynamics_derivatives(model: Model, q, v, tau) -> ForwardDerivatives:
    """Derivatives of forward dynamics by q (in the tangent space of the joints), v and tau; exact."""
    found = model._forward_dynamics_derivatives(q, v, tau)
    return ForwardDerivatives(found.by_q, found.by_v, found.by_last)


Model.to_toml = _to_toml
Model.inverse_dynamics_derivatives = inverse_dynamics_derivatives
Model.forward_dynamics_derivatives = forward_dynamics_derivatives
