"""A page for every example and every joint type: it moves, and its text stands below. Links to a scene lead to its page."""
import html
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cardan_run import frame, page_of
from docutils import nodes
from sphinx import addnodes

LONGEST = 5.0  # s of a robot without a scene


def examples_of(app):
    root = Path(app.srcdir)
    return sorted(path for files in ("examples/*.toml", "examples/*.urdf", "docs/joints/*.toml") for path in root.glob(files))


def page_name(app, example):
    return example.relative_to(app.srcdir).with_suffix("").as_posix()


def options_of(example):
    return ["--duration", str(LONGEST)] if example.suffix == ".urdf" else []


def link(app, doctree):
    folder = Path(app.env.doc2path(app.env.docname)).parent
    pages = {example: f"{page_name(app, example)}.html" for example in examples_of(app)}
    up = "../" * app.env.docname.count("/")
    for target in list(doctree.findall(addnodes.download_reference)):
        path = Path(os.path.normpath(folder / target["reftarget"]))
        if path not in pages:
            continue
        reference = nodes.reference("", "", *target.children, refuri=up + pages[path], internal=True)
        target.replace_self(reference)


def said_of(text):
    """Gives the comment with which a scene begins."""
    said = []
    for line in text.splitlines():
        if not line.startswith("#") or line.startswith("#:"):
            break
        said.append(line.lstrip("# "))
    return " ".join(said)


def still_of(app, example, title, up):
    """Gives the picture of the gallery, or of the joint, for where no frame is shown."""
    images = [f"docs/gallery/{example.stem}.jpg", f"{page_name(app, example)}.jpg"]
    found = [app.env.images[image][1] for image in images if image in app.env.images]
    return f'<div class="cardan-still"><img src="{up}_images/{found[0]}" alt="{title}"></div>' if found else ""


def pages(app):
    examples = examples_of(app)
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(lambda example: page_of(app, example, options_of(example)), examples))
    for example, run in zip(examples, runs):
        title = example.stem.replace("_", " ").capitalize()
        text = example.read_text()
        language = "toml" if example.suffix == ".toml" else "xml"
        name = page_name(app, example)
        up = "../" * name.count("/")
        command = f"cardan view {example.relative_to(app.srcdir)}"
        body = (
            f"<h1>{html.escape(title)}</h1><p>{html.escape(said_of(text))}</p>"
            f'<div class="cardan-run">{frame(up + "_runs/" + run, title)}{still_of(app, example, title, up)}</div>'
            f"<p>See it live:</p>{app.builder.highlighter.highlight_block(command, 'sh')}"
            f"<h2>{html.escape(example.name)}</h2>{app.builder.highlighter.highlight_block(text, language)}"
        )
        yield name, {"title": title, "body": body, "toc": "", "display_toc": False}, "page.html"


def setup(app):
    app.connect("doctree-read", link)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
