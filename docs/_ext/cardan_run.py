"""The directive `cardan`: runs a scene by the built command and shows its page, in which the mechanism moves.

    :::{cardan} ../../examples/arch.toml
    :options: --set ground.friction=0.25
    :at: 1
    ![The arch falls](../gallery/arch.jpg)
    :::

The picture in the body is shown where the page is not: in print, on phones, and to who reads the source. Without one it
is drawn by `cardan picture` where there is a Chromium, else it is the gallery's. With `at` the motion rests at this
instant. A run that fails, fails the build. `height` is that of the frame in pixels.
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

FRAMES = 400  # at most: what a page weighs grows with them
PROGRAM = re.compile(r'<script type="module" crossorigin>(.*?)</script>', re.S)
POLICY = "script-src 'unsafe-inline'"


def command_of(app):
    return Path(app.srcdir) / "build/bin/cardan"


def run(app, *words):
    done = subprocess.run([str(command_of(app)), *map(str, words)], cwd=app.srcdir, capture_output=True, text=True)
    if done.returncode != 0:
        raise ExtensionError(f"cardan {shlex.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


class Frame(nodes.General, nodes.Element):
    """The frame around a run's page, beside its still."""


class Cardan(SphinxDirective):
    required_arguments = 1
    has_content = True
    option_spec = {
        "options": directives.unchanged,
        "at": directives.unchanged,
        "height": directives.nonnegative_int,
    }

    def run(self):
        app = self.env.app
        scene = self.scene()
        words = shlex.split(self.options.get("options", ""))
        at = self.options.get("at")
        name = page_of(app, scene, words)
        block = nodes.container(classes=["cardan-run"])
        still = nodes.container(classes=["cardan-still"])
        if self.content:
            self.state.nested_parse(self.content, self.content_offset, still)
        else:
            still += nodes.image(uri="/" + still_of(app, scene, words, at), alt=scene.stem)
        block += Frame(page=name, at=at, height=self.options.get("height", 380), title=scene.stem.replace("_", " "))
        block += still
        return [block]

    def scene(self):
        """Finds the scene: a file beside the page, or a block of the page that the reader saves under this name."""
        page = Path(self.env.doc2path(self.env.docname))
        name = self.arguments[0]
        path = (page.parent / name).resolve()
        if path.is_file():
            self.env.note_dependency(str(path))
            return path
        saved = re.search(r"<!-- file " + re.escape(name) + r" -->\n```toml\n(.*?)```", page.read_text(), re.S)
        if saved is None:
            raise self.error(f"no scene {name}, and no block that is saved as it")
        path = Path(self.env.app.srcdir) / "build/docs-scenes" / page.stem / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(saved.group(1))
        return path


def page_of(app, scene, words):
    """Runs the scene once for each set of options, and leaves its page among the site's."""
    relative = scene.relative_to(app.srcdir)
    sum_of = hashlib.sha256(scene.read_bytes() + " ".join(words).encode() + command_of(app).read_bytes()).hexdigest()
    name = f"{scene.stem}-{sum_of[:10]}.html"
    path = Path(app.outdir) / "_runs" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        duration = duration_of(app, relative, words)
        every = max(duration / FRAMES, 0.005)
        run(app, "simulate", relative, *words, "--output-every", f"{every:.6g}", "--report", path)
        share_program(path)
    return name


def duration_of(app, scene, words):
    if "--duration" in words:
        return float(words[words.index("--duration") + 1])
    found = re.search(r"^\s*duration\s*=\s*([0-9.]+)", (Path(app.srcdir) / scene).read_text(), re.M)
    return float(found.group(1)) if found else 10.0


def share_program(path):
    """Moves the viewer out of the page into one file that all pages of the site share. From disk browsers load no
    modules, so that it becomes a plain script; the viewer imports nothing."""
    text = path.read_text()
    found = PROGRAM.search(text)
    if found is None or POLICY not in text:
        raise ExtensionError(f"{path}: not the page that this extension knows")
    shared = path.parent / "viewer.js"
    if not shared.exists():
        whole = shared.with_suffix(f".{os.getpid()}")  # pages are read by several processes
        whole.write_text('"use strict";(()=>{' + found.group(1) + "})();\n")
        whole.replace(shared)
    text = text[: found.start()] + '<script defer src="viewer.js"></script>' + text[found.end():]
    path.write_text(text.replace(POLICY, POLICY + " 'self' file:", 1))


def still_of(app, scene, words, at):
    gallery = Path("docs/gallery") / f"{scene.stem}.jpg"
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome", "chrome")):
        if not (Path(app.srcdir) / gallery).exists():
            raise ExtensionError(f"{scene}: no Chromium to draw it, and no picture in docs/gallery")
        return gallery.as_posix()
    path = Path("build/docs-stills") / f"{hashlib.sha256(f'{scene} {words} {at}'.encode()).hexdigest()[:12]}.png"
    (Path(app.srcdir) / path).parent.mkdir(parents=True, exist_ok=True)
    run(app, "picture", scene, *words, *(["--at", at] if at else []), "--size", "960x540", "--out", path)
    return path.as_posix()


def frame(page, title, at=None, height=400):
    """Writes the frame in which a page moves, and the link to it."""
    instant = f"t={at}&amp;" if at else ""
    return (
        f'<div class="cardan-frame"><iframe loading="lazy" style="height:{height}px" '
        f'src="{page}#{instant}bare" title="{title}, moving"></iframe></div>'
        f'<p class="cardan-link"><span>Drag to turn. </span><a href="{page}" target="_blank">Open the run</a>'
        " with plots and numbers.</p>"
    )


def visit_frame(self, node):
    page = "../" * self.builder.current_docname.count("/") + "_runs/" + node["page"]
    self.body.append(frame(page, node["title"], node["at"], node["height"]))
    raise nodes.SkipNode


def setup(app):
    if not command_of(app).exists():
        raise ExtensionError("build/bin/cardan is missing: make build")
    app.add_node(Frame, html=(visit_frame, None))
    app.add_directive("cardan", Cardan)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
