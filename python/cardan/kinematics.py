"""Inverse kinematics: where the joints must be so that frames are where they should be.

Levenberg and Marquardt's method on exact Jacobians, within the joints' limits. Loops and couplings are rows like the
targets, so that what comes out is a configuration in which the mechanism holds together.
"""

from __future__ import annotations

import math

import numpy as np

from ._cardan import Error, Model
from .scene import Scene
from .simulator import Simulator


def _turn_between(R: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The rotation vector that leads from R to the target, in the axes of R."""
    D = R.T @ target
    w = 0.5 * np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]])
    s, c = float(np.linalg.norm(w)), 0.5 * (np.trace(D) - 1)
    angle = math.atan2(s, c)
    if s > 1e-6:
        return w * (angle / s)
    if c > 0:
        return w
    axis = np.linalg.eigh(0.5 * (D + D.T))[1][:, -1]  # half a turn: either way round will do
    return angle * axis


class _Problem:
    """What must vanish, and how it changes with the velocities."""

    def __init__(self, model: Model, targets: dict) -> None:
        self.model = model
        self.targets = {}
        for name, target in targets.items():
            R, p = target if isinstance(target, tuple) else (None, target)
            p = np.asarray(p, float)
            if p.shape != (3,):
                raise ValueError(f"targets: {name}: expected a position (3,) or (rotation, position), found shape {p.shape}")
            if R is not None:
                R = np.asarray(R, float)
                if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=1e-6) or np.linalg.det(R) < 0:
                    raise ValueError(f"targets: {name}: expected a rotation (3, 3), found another matrix")
            self.targets[name] = (R, p)

    def misses(self, q: np.ndarray) -> "dict[str, tuple[float, float]]":
        """Of each target: metres and radians."""
        out = {}
        for name, (R, p) in self.targets.items():
            own, at = self.model.pose(q, name)
            angle = 0.0 if R is None else float(np.linalg.norm(_turn_between(own, R)))
            out[name] = (float(np.linalg.norm(p - at)), angle)
        return out

    def open(self, q: np.ndarray) -> float:
        gap, _ = self.model._openings(q)
        return float(abs(gap).max()) if len(gap) else 0.0

    def rows(self, q: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
        """r and J: a small motion v changes r by -J v."""
        gap, loops = self.model._openings(q)
        r, J = [-gap], [loops]
        for name, (R, p) in self.targets.items():
            own, at = self.model.pose(q, name)
            jacobian = self.model.jacobian(q, name)
            r.append(own.T @ (p - at))
            J.append(jacobian[3:])
            if R is not None:
                r.append(_turn_between(own, R))
                J.append(jacobian[:3])
        return np.concatenate(r), np.concatenate(J)


class _Limits:
    """Limits of coordinates that are plain numbers."""

    def __init__(self, model: Model) -> None:
        lower, upper = model.limits
        self.model = model
        self.q, self.v, low, high = [], [], [], []
        for joint in model.joint_names:
            q, nq, v, nv = model.joint_slices(joint)
            for k in range(nv if nq == nv else 0):
                self.q.append(q + k)
                self.v.append(v + k)
                low.append(lower[v + k])
                high.append(upper[v + k])
        self.low, self.high = np.array(low), np.array(high)

    def clamp(self, q: np.ndarray) -> np.ndarray:
        q = np.array(q)
        q[self.q] = np.clip(q[self.q], self.low, self.high)
        return q

    def free(self, q: np.ndarray, wish: np.ndarray) -> np.ndarray:
        """Which velocities may follow the wish without leaving the limits."""
        out = np.ones(self.model.nv, bool)
        at, way = q[self.q], wish[self.v]
        out[self.v] = ~(((at <= self.low) & (way < 0)) | ((at >= self.high) & (way > 0)))
        return out

    def anywhere(self, q: np.ndarray, rng: np.random.Generator, reach: float) -> np.ndarray:
        """A configuration within `reach` of q, or of the whole range where that is shorter."""
        q = self.model.integrate(q, reach * rng.uniform(-1, 1, self.model.nv))
        low, high = np.maximum(self.low, q[self.q] - reach), np.minimum(self.high, q[self.q] + reach)
        q[self.q] = np.where(low <= high, rng.uniform(np.minimum(low, high), np.maximum(low, high)), q[self.q])
        return self.clamp(q)


def _descend(problem: _Problem, limits: _Limits, q: np.ndarray, tolerance: float, iterations: int):
    damping = 1e-3
    r, J = problem.rows(q)
    cost = float(r @ r)
    stuck = 0
    for _ in range(iterations):
        if abs(r).max(initial=0.0) <= tolerance:
            return q, True
        free = limits.free(q, J.T @ r)
        A = J[:, free]
        step = np.zeros(problem.model.nv)
        # in the smaller of the two forms
        if A.shape[0] < A.shape[1]:
            step[free] = A.T @ np.linalg.solve(A @ A.T + damping * np.eye(A.shape[0]), r)
        else:
            step[free] = np.linalg.solve(A.T @ A + damping * np.eye(A.shape[1]), A.T @ r)
        size = float(abs(step).max(initial=0.0))
        next_q = limits.clamp(problem.model.integrate(q, step * min(1.0, 1.0 / max(size, 1e-300))))
        next_r, next_J = problem.rows(next_q)
        next_cost = float(next_r @ next_r)
        if next_cost < cost:
            stuck = stuck + 1 if next_cost > 0.999 * cost else 0
            q, r, J, cost = next_q, next_r, next_J, next_cost
            damping = max(0.1 * damping, 1e-13)
        else:
            stuck += 1
            damping = min(10 * max(damping, 1e-12), 1e6)
        if stuck > 12:
            break
    return q, bool(abs(r).max(initial=0.0) <= tolerance)


def ik(scene, targets: dict, q=None, *, tolerance: float = 1e-10, iterations: int = 200, starts: int = 40, seed: int = 0):
    """Finds coordinates (nq,) at which frames are where `targets` says, within the limits, with loops and couplings closed.

    scene: a Scene, the path of a file, or a Model. targets: {FRAME: position (3,)} or {FRAME: (rotation (3, 3),
    position (3,))}, in the world. q: where to begin; by default the scene's start, or the zero configuration. Where that
    leads nowhere other starts are tried, drawn by `seed`. Raises cardan.Error, which says what remains, where none does.
    """
    model = scene
    if not isinstance(scene, Model):
        scene = scene if isinstance(scene, Scene) else Scene(scene)
        model = scene.model
        if q is None:
            q = np.array(Simulator(scene).q)
    first = model.neutral() if q is None else np.array(q, float)
    if first.shape != (model.nq,):
        raise ValueError(f"q: expected an array of shape ({model.nq},), found {first.shape}")
    problem, limits = _Problem(model, targets), _Limits(model)
    rng = np.random.default_rng(seed)
    best, best_cost = first, math.inf
    for k in range(starts):
        begin = limits.clamp(first) if k == 0 else limits.anywhere(first, rng, min(math.pi, 0.3 * k))
        found, done = _descend(problem, limits, begin, tolerance, iterations)
        if done:
            return found
        cost = float(np.sum(problem.rows(found)[0] ** 2))
        if cost < best_cost:
            best, best_cost = found, cost
    far = [f'"{name}" is {m:.3g} m and {a:.3g} rad away' for name, (m, a) in problem.misses(best).items()]
    held = [
        name
        for name in model.joint_names
        for at, low, high in zip(limits.q, limits.low, limits.high)
        if model.joint_slices(name)[0] <= at < sum(model.joint_slices(name)[:2]) and best[at] in (low, high)
    ]
    raise Error(
        f"ik: no configuration found from {starts} starts: at the nearest one {', '.join(far) or 'loops stay open'}"
        + (f", loops are open by {problem.open(best):.3g}" if problem.open(best) > tolerance else "")
        + (f"; at their limits: {', '.join(dict.fromkeys(held))}" if held else "")
    )
