"""Many runs at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._cardan import _rollout
from .choices import choices, spec_of


class Rollout(NamedTuple):
    """Of every run and step: q (batch, steps, nq), v (batch, steps, nv); `ok` (batch,): the run went to its end."""

    q: np.ndarray
    v: np.ndarray
    ok: np.ndarray
    problems: "list[str]"


def rollout(scene, q, v, u, parameters=None, threads: int = 0, **options) -> Rollout:
    """Runs a scene from many states under many courses of inputs, on all cores.

    q (batch, nq) or (nq,), v likewise, u (batch, steps, inputs). parameters: {NAME: (batch,) numbers}. Rows after a
    step that cannot be made are NaN, and `problems` says why.
    """
    numbers = {name: np.asarray(values, float).ravel().tolist() for name, values in (parameters or {}).items()}
    found = _rollout(spec_of(scene), q, v, u, numbers, threads, choices(options))
    return Rollout(found.q, found.v, np.array(found.ok, dtype=bool), found.problems)
