"""Values and tables of Python as TOML."""

from __future__ import annotations

import json
import math
import re

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib  # type: ignore

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def key(text: str) -> str:
    return text if _BARE.match(text) else json.dumps(text)


def value(item) -> str:
    """One value, on one line; arrays of numpy are lists."""
    if hasattr(item, "tolist"):
        item = item.tolist()
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int):
        return str(item)
    if isinstance(item, float):
        if math.isnan(item):
            return "nan"
        if math.isinf(item):
            return "inf" if item > 0 else "-inf"
        return repr(item)
    if isinstance(item, str):
        return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(value(entry) for entry in item) + "]"
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in item.items()) + " }" if item else "{}"
    raise TypeError(f"expected numbers, texts, lists or tables, found {type(item).__name__}")


def file(table: dict) -> str:
    """A whole scene file: plain values first, then tables and arrays of tables."""

    def is_tables(item) -> bool:
        return isinstance(item, list) and bool(item) and all(isinstance(entry, dict) for entry in item)

    lines = [f"{key(k)} = {value(v)}" for k, v in table.items() if not isinstance(v, dict) and not is_tables(v)]
    for name, content in table.items():
        if isinstance(content, dict):
            lines += ["", f"[{key(name)}]"] + [f"{key(k)} = {value(v)}" for k, v in content.items()]
        elif is_tables(content):
            for entry in content:
                lines += ["", f"[[{key(name)}]]"] + [f"{key(k)} = {value(v)}" for k, v in entry.items()]
    return "\n".join(lines) + "\n"


def parsed(text: str) -> dict:
    return tomllib.loads(text)
