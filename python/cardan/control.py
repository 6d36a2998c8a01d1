"""Linearizations of scenes, and feedback that follows from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._cardan import Error, _linearization
from .scene import Scene


@dataclass(frozen=True)
class Linearization:
    """dx/dt = A x + B u near a state, exact; x is the tangent of q, then v, then the states of forces and controllers."""

    A: np.ndarray
    """Shape (n, n)."""
    B: np.ndarray
    """Shape (n, inputs)."""
    states: "list[str]"
    """Names of x: "q.JOINT", "v.JOINT", "z.NAME"."""
    inputs: "list[str]"
    """Names of u."""
    a: np.ndarray
    """The acceleration there, shape (nv,)."""


def linearization(scene, q=None, v=None, u=None, t: float = 0.0) -> Linearization:
    """Linearizes a scene (or the file of one) at a state: by default where it starts, with its inputs at their defaults."""
    if not isinstance(scene, Scene):
        scene = Scene(scene)
    numbers = [None if x is None else [float(y) for y in np.asarray(x, dtype=float).ravel()] for x in (q, v, u)]
    return Linearization(*_linearization(scene._spec, float(t), *numbers))


def lqr(near: Linearization, Q, R) -> np.ndarray:
    """The gain K, shape (inputs, n), of u = -K x that minimizes the integral of x'Q x + u'R u.

    Q has shape (n, n) and R (inputs, inputs); numbers stand for multiples of the identity. Raises cardan.Error where no
    gain holds the system.
    """
    A, B = near.A, near.B
    n, m = B.shape
    Q, R = (np.asarray(x, dtype=float) * (np.eye(size) if np.ndim(x) == 0 else 1.0) for x, size in ((Q, n), (R, m)))
    for name, x, size in (("Q", Q, n), ("R", R, m)):
        if x.shape != (size, size):
            raise ValueError(f"{name}: expected shape ({size}, {size}), found {x.shape}")
    if m == 0:
        raise Error("lqr: the scene has no input")
    by_u = np.linalg.solve(R, B.T)
    # the subspace of the Hamiltonian matrix on which motions die out is the graph of P
    values, vectors = np.linalg.eig(np.block([[A, -B @ by_u], [-Q, -A.T]]))
    stable = vectors[:, values.real < -1e-9 * np.abs(values).max()]
    if stable.shape[1] != n:
        raise Error("lqr: no gain holds this system: an input does not reach it, or Q does not see it")
    P = np.linalg.solve(stable[:n].T, stable[n:].T).T.real
    return by_u @ (0.5 * (P + P.T))
