"""Derivatives of what runs end with, and the numbers with which they end best."""

from __future__ import annotations

from typing import NamedTuple

from ._cardan import _gradient, _optimize
from .choices import choices, spec_of
from .scene import Scene


def gradient(scene, of, by, parameters: "dict | None" = None, **options):
    """Differentiates outcomes of a run by numbers of its scene: (value, {NAME: derivative}).

    scene: a Scene or a path. of: an outcome COLUMN.final, .min, .max, .rms or .integral; or a list of them, which gives
    a dictionary {OUTCOME: (value, {NAME: derivative})} of one run. by: parameters, paths as of --set, initial.q.JOINT
    and initial.v.JOINT. `parameters` change the scene, options are those of simulate(). Every step is differentiated as
    it was made. Raises cardan.Error where the run has no derivative, with the time and the reason.
    """
    outcomes = [of] if isinstance(of, str) else list(of)
    names = [by] if isinstance(by, str) else list(by)
    values, slopes = _gradient(spec_of(scene, parameters), outcomes, names, choices(options))
    found = {name: (value, dict(zip(names, row))) for name, value, row in zip(outcomes, values, slopes)}
    return found[of] if isinstance(of, str) else found


class Optimum(NamedTuple):
    """What a search has found: `value` of the text, `parameters` {NAME: value}, `constraints` (their values), the
    number of `evaluations`, the `scene` with what was found, the `method`, and `notes` that a user should know."""

    value: float
    parameters: "dict[str, float]"
    evaluations: int
    constraints: "list[float]"
    scene: Scene
    method: str
    notes: "list[str]"


def optimize(scene, minimize: str, vary: "dict[str, tuple[float, float]]", subject_to=(), words: "dict | None" = None,
             evaluations: int = 500, gradients: bool = True, parameters: "dict | None" = None, **options) -> Optimum:
    """Finds the numbers of a scene with which a run comes out best, from those that it has.

    minimize: a text of outcomes (COLUMN.final ...), parameters and varied names; subject_to: such texts, which are to be
    >= 0; vary: {NAME: (low, high)}, names as in gradient(). `words` {WORD: NAME} stand in texts for names that are no
    words. At most so many `evaluations`; `gradients=False` searches by values alone. Options are those of simulate().
    Raises cardan.Error where no numbers hold the constraints.
    """
    constraints = [subject_to] if isinstance(subject_to, str) else list(subject_to)
    ranges = [(float(low), float(high)) for low, high in vary.values()]
    out = scene.copy() if isinstance(scene, Scene) else Scene(scene)
    for name, value in (parameters or {}).items():
        out._set(name, value)
    found = _optimize(out._spec, minimize, constraints, list(vary), ranges, dict(words or {}), evaluations, gradients,
                      choices(options))
    value, numbers, held, count, method, notes = found
    return Optimum(value, dict(zip(vary, numbers)), count, held, out, method, notes)
