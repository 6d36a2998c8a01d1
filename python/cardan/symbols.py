"""Poses written as Python functions of symbols: traced once into the texts that a scene file would have.

A Symbol records what is done with it. Each operation gets a name of its own, so that a number that is used twice is
computed once; the names become the `let` of an expression joint.
"""

from __future__ import annotations

import inspect
import math
from typing import Callable, Union

Number = Union[float, int, "Symbol"]


class _Tape:
    """The operations of one function, in order."""

    def __init__(self) -> None:
        self.let: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def keep(self, text: str) -> "Symbol":
        name = self._names.get(text)
        if name is None:
            name = f"x{len(self.let)}_"
            self._names[text] = name
            self.let[name] = text
        return Symbol(name, self)


def _written(value: Number) -> str:
    if isinstance(value, Symbol):
        return value.text
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, found {number}")
    return f"({number!r})" if number < 0 else repr(number)


def _tape_of(values) -> "_Tape | None":
    for value in values:
        if isinstance(value, Symbol):
            return value.tape
    return None


class Symbol:
    """A number that is not known yet: a coordinate, or what follows from coordinates."""

    __slots__ = ("text", "tape")
    __array_priority__ = 1000

    def __init__(self, text: str, tape: _Tape) -> None:
        self.text = text
        self.tape = tape

    def _with(self, pattern: str, *values: Number) -> "Symbol":
        return self.tape.keep(pattern.format(*[_written(value) for value in values]))

    def __add__(self, other: Number) -> "Symbol":
        return self._with("{} + {}", self, other)

    def __radd__(self, other: Number) -> "Symbol":
        return self._with("{} + {}", other, self)

    def __sub__(self, other: Number) -> "Symbol":
        return self._with("{} - {}", self, other)

    def __rsub__(self, other: Number) -> "Symbol":
        return self._with("{} - {}", other, self)

    def __mul__(self, other: Number) -> "Symbol":
        return self._with("{}*{}", self, other)

    def __rmul__(self, other: Number) -> "Symbol":
        return self._with("{}*{}", other, self)

    def __truediv__(self, other: Number) -> "Symbol":
        return self._with("{}/{}", self, other)

    def __rtruediv__(self, other: Number) -> "Symbol":
        return self._with("{}/{}", other, self)

    def __pow__(self, other: Number) -> "Symbol":
        return self._with("{}^{}", self, other)

    def __rpow__(self, other: Number) -> "Symbol":
        return self._with("{}^{}", other, self)

    def __neg__(self) -> "Symbol":
        return self._with("-{}", self)

    def __pos__(self) -> "Symbol":
        return self

    def __abs__(self) -> "Symbol":
        return self._with("abs({})", self)

    def __bool__(self) -> bool:
        raise TypeError("a pose cannot depend on a comparison of coordinates: the function is traced once")

    __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: self.__bool__()

    def __repr__(self) -> str:
        return f"Symbol({self.text})"


def _function(name: str, plain: Callable[..., float]):
    def apply(*values: Number):
        tape = _tape_of(values)
        if tape is None:
            return plain(*values)
        return tape.keep(f"{name}({', '.join(_written(value) for value in values)})")

    apply.__name__ = name
    apply.__doc__ = f"{name} of numbers or symbols."
    return apply


_abs, _min, _max = abs, min, max
sin, cos, tan = _function("sin", math.sin), _function("cos", math.cos), _function("tan", math.tan)
asin, acos, atan = _function("asin", math.asin), _function("acos", math.acos), _function("atan", math.atan)
atan2, sqrt, exp = _function("atan2", math.atan2), _function("sqrt", math.sqrt), _function("exp", math.exp)
log, sinh, cosh = _function("log", math.log), _function("sinh", math.sinh), _function("cosh", math.cosh)
tanh, abs = _function("tanh", math.tanh), _function("abs", _abs)
min, max = _function("min", _min), _function("max", _max)


class Transform:
    """A pose as a product of simple ones; `@` goes on from one to the next."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __matmul__(self, other: "Transform") -> "Transform":
        if not isinstance(other, Transform):
            raise TypeError(f"expected a transform to the right of @, found {type(other).__name__}")
        return Transform(f"{self.text} * {other.text}")

    def __repr__(self) -> str:
        return f"Transform({self.text})"


def _simple(name: str, *values: Number) -> Transform:
    return Transform(f"{name}({', '.join(_written(value) for value in values)})")


def rotx(angle: Number) -> Transform:
    """Rotation about x [rad]."""
    return _simple("rotx", angle)


def roty(angle: Number) -> Transform:
    """Rotation about y [rad]."""
    return _simple("roty", angle)


def rotz(angle: Number) -> Transform:
    """Rotation about z [rad]."""
    return _simple("rotz", angle)


def rot(x: Number, y: Number, z: Number, angle: Number) -> Transform:
    """Rotation about the axis (x, y, z) [rad]."""
    return _simple("rot", x, y, z, angle)


def trans(x: Number, y: Number, z: Number) -> Transform:
    """Translation [m]."""
    return _simple("trans", x, y, z)


def twist(wx: Number, wy: Number, wz: Number, x: Number, y: Number, z: Number) -> Transform:
    """The exponential of a twist, angular part first."""
    return _simple("twist", wx, wy, wz, x, y, z)


def frame(*entries: Number) -> Transform:
    """A pose by nine entries of its rotation, row by row, then its position."""
    if len(entries) != 12:
        raise ValueError(f"frame: expected 12 numbers, found {len(entries)}")
    return _simple("frame", *entries)


def inv(transform: Transform) -> Transform:
    """The inverse of a product."""
    return Transform(f"inv({transform.text})")


def trace(function: Callable[..., Transform]) -> dict:
    """Traces a function of coordinates, named by its arguments, into the keys of an expression joint."""
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is inspect.Parameter.empty and parameter.kind in (
            inspect.Parameter.POSITIONAL_ONLY,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
        ):
            names.append(parameter.name)
    if not names:
        raise ValueError("joint: expected a function of at least one coordinate, found one of none")
    tape = _Tape()
    result = function(*[Symbol(name, tape) for name in names])
    if not isinstance(result, Transform):
        raise ValueError(f"joint: expected a function that returns a product of transforms, found {type(result).__name__}")
    out = {"type": "expression", "coordinates": names, "transform": result.text}
    if tape.let:
        out["let"] = tape.let
    return out
