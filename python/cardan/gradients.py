"""Derivatives of what runs end with."""

from __future__ import annotations

from ._cardan import _gradient
from .choices import choices_of
from .scene import Scene


def gradient(scene, of, by: "list[str]", **options):
    """Differentiates outcomes of a run by numbers of its scene: (value, {NAME: derivative}).

    of: an outcome COLUMN.final, .min, .max, .rms or .integral; or a list of them, which gives a dictionary
    {OUTCOME: (value, {NAME: derivative})} of one run. by: parameters, paths as of --set, initial.q.JOINT and
    initial.v.JOINT. Options are those of simulate(). Every step is differentiated as it was made. Raises cardan.Error
    where the run has no derivative, with the time and the reason.
    """
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    outcomes = [of] if isinstance(of, str) else list(of)
    names = [by] if isinstance(by, str) else list(by)
    values, slopes = _gradient(scene._spec, outcomes, names, choices_of(**options))
    found = {name: (value, dict(zip(names, row))) for name, value, row in zip(outcomes, values, slopes)}
    return found[of] if isinstance(of, str) else found
