"""What a caller may choose of a scene's [simulation]."""

from __future__ import annotations

import os

from ._cardan import _Choices, _Spec
from .scene import Scene

_NAMES = ("duration", "step", "tolerance", "output_every", "max_step", "integrator", "formulation")


def choices(options: dict) -> _Choices:
    out = _Choices()
    for name, value in options.items():
        if name not in _NAMES:
            raise TypeError(f"expected one of {', '.join(_NAMES)}, found {name!r}")
        if value is not None:
            setattr(out, name, value)
    return out


def spec_of(scene, parameters: "dict | None" = None, inputs=None) -> _Spec:
    """A scene, or the path of one, with these parameters and inputs led by a CSV file."""
    found = scene.copy() if isinstance(scene, Scene) else Scene(scene)
    for name, value in (parameters or {}).items():
        found._set(name, value)
    if inputs is not None:
        found._spec.lead_inputs(os.fspath(inputs))
    return found._spec
