"""Models built in a program."""

from __future__ import annotations

from typing import Callable, Union

from . import symbols, toml
from ._cardan import Model, _Spec


class ModelBuilder:
    """Builds a model body by body.

        b = cardan.ModelBuilder("arm")
        b.body("upper", joint="revolute", axis=[0, 1, 0], mass=1, com=[0, 0, -0.5], inertia=[0.1, 0.1, 0.01, 0, 0, 0])
        b.body("ring", parent="upper", joint=lambda u, v: cardan.rotz(u) @ cardan.trans(1, 0, 0) @ cardan.roty(v), mass=1)
        model = b.build()
    """

    def __init__(self, name: str = "model", gravity=(0.0, 0.0, -9.81)) -> None:
        self._scene: dict = {"cardan": 1, "name": name, "gravity": list(gravity), "body": []}

    def body(
        self,
        name: str,
        parent: str = "world",
        joint: Union[str, dict, Callable[..., symbols.Transform]] = "fixed",
        mass: float = 0.0,
        com=(0.0, 0.0, 0.0),
        inertia=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        at: "dict | None" = None,
        joint_name: "str | None" = None,
        **keys,
    ) -> "ModelBuilder":
        """Adds a body on a joint: the name of a joint type with its keys (axis, pitch, limits, damping, ...), a table
        of them, or a function of the coordinates that returns the pose.

        mass [kg], com [m] in the body frame, inertia [kg m^2]: xx yy zz xy xz yz about the center of mass. `at`: the
        joint's frame in the parent's, {"xyz": ..., "rpy": ...}.
        """
        if callable(joint):
            table = symbols.trace(joint)
        elif isinstance(joint, str):
            table = {"type": joint}
        else:
            table = dict(joint)
        table.update(keys)
        if at is not None:
            table["at"] = dict(at)
        if joint_name is not None:
            table["name"] = joint_name
        self._scene["body"].append(
            {"name": name, "parent": parent, "mass": mass, "com": com, "inertia": inertia, "joint": table}
        )
        return self

    def to_toml(self) -> str:
        """The model as a scene file."""
        return toml.file(self._scene)

    def build(self) -> Model:
        """Makes the model. Raises cardan.Error, one line."""
        text = self.to_toml()
        model = _Spec.parse(text, self._scene["name"]).model()
        model._toml = text
        return model
