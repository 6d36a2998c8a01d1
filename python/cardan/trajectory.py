"""Whole runs."""

from __future__ import annotations

import os

import numpy as np

from ._cardan import Error, _simulate
from .choices import choices, spec_of


class Trajectory:
    """A run: times `t` (n,), coordinates `q` (n, nq), velocities `v` (n, nv), and all columns of the CSV by name."""

    def __init__(self, run) -> None:
        self._run = run
        self.columns: "list[str]" = run.columns
        self.table: np.ndarray = run.table()
        self.warnings: "list[str]" = run.warnings
        self.steps: int = run.steps
        self.energy_drift: float = run.energy_drift
        model = run.model
        self.t = self.table[:, 0]
        self.q = self.table[:, 1 : 1 + model.nq]
        self.v = self.table[:, 1 + model.nq : 1 + model.nq + model.nv]

    def __len__(self) -> int:
        return len(self.t)

    def __contains__(self, name: str) -> bool:
        return name in self.columns or any(column.startswith(name + ".") for column in self.columns)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column (n,); of a joint with several coordinates or a record with several parts, all of them (n, k)."""
        if name in self.columns:
            return self.table[:, self.columns.index(name)]
        parts = [i for i, column in enumerate(self.columns) if column.startswith(name + ".")]
        if not parts:
            raise KeyError(name)
        return self.table[:, parts]

    def to_pandas(self):
        """The table as a pandas DataFrame with the times as its index."""
        import pandas

        return pandas.DataFrame(self.table[:, 1:], columns=self.columns[1:], index=pandas.Index(self.t, name="t"))

    def to_csv(self, path) -> None:
        with open(path, "w", encoding="utf-8") as out:
            out.write(self._run.csv())

    def plot(self, *names: str, ax=None):
        """Plots columns over time with matplotlib; by default the coordinates."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.figure().gca()
        shown = names or [column for column in self.columns if column.startswith("q.")]
        for name in shown:
            lines = ax.plot(self.t, self[name])
            for k, line in enumerate(lines):
                line.set_label(name if len(lines) == 1 else f"{name}.{k}")
        ax.set_xlabel("t [s]")
        ax.legend()
        return ax

    def to_html(self) -> str:
        """One page in which the mechanism moves, with plots; it needs no network and no other file."""
        return self._run.page()

    def view(self) -> str:
        """Opens that page in the browser; returns its path."""
        import tempfile  # here, because these imports take as long as all else of the package
        import webbrowser

        folder = tempfile.mkdtemp(prefix="cardan-")
        path = os.path.join(folder, "run.html")
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.to_html())
        webbrowser.open("file://" + path)
        return path

    def _repr_html_(self) -> str:
        import html

        return (
            f'<iframe srcdoc="{html.escape(self.to_html(), quote=True)}" sandbox="allow-scripts" '
            'style="width: 100%; height: 480px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Trajectory({len(self)} rows, t = {self.t[0]:g} to {self.t[-1]:g} s, {len(self.columns)} columns)"


def simulate(scene, *, parameters=None, inputs=None, **options) -> Trajectory:
    """Runs a scene (a path or a Scene) through time.

    Options go before the scene's own: duration, step, tolerance, output_every, max_step [s], integrator, formulation.
    `parameters`: {NAME: value}, names as of --set. `inputs`: a CSV file that leads inputs through time. Raises
    cardan.Error where the run cannot go on; what was computed is the error's `run`.
    """
    run = _simulate(spec_of(scene, parameters, inputs), choices(options))
    out = Trajectory(run)
    if not run.done:
        problem = Error(f"simulate: {run.failure}")
        problem.run = out
        raise problem
    return out
