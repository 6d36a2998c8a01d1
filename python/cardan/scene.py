"""Scenes: a mechanism, what acts on it and how it is simulated, by names."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

from . import toml
from ._cardan import Error, Model, _Spec

_TABLES = ("body", "force", "controller", "input", "loop", "motion", "record", "strand", "cable", "robot", "contact")


class Parameters(MutableMapping):
    """The scene's [parameters]: numbers, or texts of other parameters."""

    def __init__(self, scene: "Scene") -> None:
        self._scene = scene

    def __getitem__(self, name: str):
        if name not in self._scene._spec.parameters():
            raise KeyError(name)
        return self._scene._get(name)

    def __setitem__(self, name: str, value) -> None:
        self._scene._set(name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters cannot be removed")

    def __iter__(self):
        return iter(self._scene._spec.parameters())

    def __len__(self) -> int:
        return len(self._scene._spec.parameters())


class Part:
    """A table of the scene: its keys are attributes."""

    def __init__(self, scene: "Scene", path: str) -> None:
        object.__setattr__(self, "_scene", scene)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, key: str):
        if key.startswith("__"):
            raise AttributeError(key)
        try:
            found = self._scene._get(f"{self._path}.{key}")
        except Error as problem:
            raise AttributeError(str(problem)) from None
        return Part(self._scene, f"{self._path}.{key}") if isinstance(found, dict) else found

    def __setattr__(self, key: str, value) -> None:
        self._scene._set(f"{self._path}.{key}", value)

    def __repr__(self) -> str:
        return f"Part({self._path})"


class Scene:
    """A scene by names: changed as often as you like, bound to numbers when it is simulated.

        scene = cardan.Scene("arm.toml")
        scene.parameters["length"] = 1.3
        scene["rod"].mass = 2
        run = cardan.simulate(scene)
    """

    def __init__(self, path=None, *, text: "str | None" = None, name: str = "scene.toml") -> None:
        if (path is None) == (text is None):
            raise ValueError("Scene: expected a path or a text")
        self._spec = _Spec.load(os.fspath(path)) if text is None else _Spec.parse(text, name)

    @property
    def parameters(self) -> Parameters:
        return Parameters(self)

    @property
    def inputs(self) -> "list[str]":
        """Names of the inputs, in the order of Simulator.u."""
        return self._spec.inputs()

    @property
    def model(self) -> Model:
        """The tree of the scene as it is now."""
        model = self._spec.model()
        model._toml = self.to_toml()
        return model

    def __getitem__(self, name: str) -> Part:
        tree = toml.parsed(self.to_toml())
        for table in _TABLES:
            if any(entry.get("name") == name for entry in tree.get(table, []) if isinstance(entry, dict)):
                return Part(self, f"{table}.{name}")
        if isinstance(tree.get(name), dict):
            return Part(self, name)
        raise KeyError(name)

    def add(self, table: str, **keys) -> "Scene":
        """Adds an entry to an array of tables: scene.add("force", type="spring", ...)."""
        return self._replace(self.to_toml() + "\n" + toml.file({table: [keys]}))

    def attach(self, other: "Scene", prefix: str) -> "Scene":
        """Adds the bodies of another scene; their names get the prefix, as "prefix/name"."""
        own, more = toml.parsed(self.to_toml()), toml.parsed(other.to_toml())
        names = {body["name"] for body in more.get("body", [])}
        for body in more.get("body", []):
            body = dict(body, name=f"{prefix}/{body['name']}")
            if body.get("parent", "world") in names:
                body["parent"] = f"{prefix}/{body['parent']}"
            joint = dict(body.get("joint", {}))
            if "name" in joint:
                joint["name"] = f"{prefix}/{joint['name']}"
            body["joint"] = joint
            own.setdefault("body", []).append(body)
        return self._replace(toml.file(own))

    def remove(self, name: str) -> "Scene":
        """Removes the entry of that name (a body, force, controller, ...)."""
        tree = toml.parsed(self.to_toml())
        for table in _TABLES:
            kept = [entry for entry in tree.get(table, []) if entry.get("name") != name]
            if len(kept) < len(tree.get(table, [])):
                tree[table] = kept
                if not kept:
                    del tree[table]
                return self._replace(toml.file(tree))
        raise KeyError(name)

    def copy(self) -> "Scene":
        out = Scene.__new__(Scene)
        out._spec = self._spec.copy()
        return out

    def to_toml(self) -> str:
        return self._spec.to_toml()

    def __reduce__(self):
        return _from_text, (self.to_toml(), self._spec.name)

    def _replace(self, text: str) -> "Scene":
        spec = _Spec.parse(text, self._spec.name)
        spec.model()  # complains now
        self._spec = spec
        return self

    def _get(self, path: str):
        return toml.parsed("x = " + self._spec.value(path))["x"]

    def _set(self, path: str, value) -> None:
        self._spec.set(f"{path}={toml.value(value)}")


def _from_text(text: str, name: str) -> Scene:
    return Scene(text=text, name=name)
