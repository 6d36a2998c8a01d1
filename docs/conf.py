# Settings of the site that `make docs` builds. Its sources are docs/, examples/README.md, CONTRIBUTING.md and CHANGELOG.md,
# seen from the top of the repository, so that links between them, to examples and to sources are those of the repository.
import re
import shutil
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "docs/_ext"))

project = "Cardan"
author = "The Cardan authors"
version = re.search(r"^version: (\S+)", (root / "CITATION.cff").read_text(), re.M).group(1)
release = version
root_doc = "docs/index"

include_patterns = ["CONTRIBUTING.md", "CHANGELOG.md", "docs/**", "examples/README.md"]
exclude_patterns = ["build", "web", "tests", "cardan", "apps", "python", "benchmarks", "cmake", ".git", ".ci", "tools"]

extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx_copybutton", "sphinx_design", "cardan_run", "example_pages",
              "repository_links"]
myst_enable_extensions = ["colon_fence", "dollarmath", "html_image", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # blocks show lines of files, not whole ones
highlight_language = "text"

mathjax_path = "tex-svg.js"  # one file, glyphs included; only pages with formulas load it

html_theme = "shibuya"
html_title = "Cardan"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_extra_path = ["_extra"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_search_summary = False  # it reads the pages found, which browsers forbid from disk
html_theme_options = {
    "accent_color": "blue",
    "show_ai_links": False,
    "nav_links": [
        {"title": "Learn", "url": "docs/learn/index"},
        {"title": "How to", "url": "docs/howto/index"},
        {"title": "Reference", "url": "docs/reference"},
        {"title": "How it works", "url": "docs/how_it_works"},
        {"title": "Evidence", "url": "docs/evidence/index"},
        {"title": "Gallery", "url": "docs/gallery"},
    ],
}


def setup(app):
    """Copies MathJax out of the package that carries it, so that the site loads nothing from elsewhere."""
    def copy(app, error):
        if error is None:
            package = next(Path(p) / "sphinx-mathjax-offline" for p in sys.path if (Path(p) / "sphinx-mathjax-offline").exists())
            shutil.copy(package / "static/mathjax/tex-svg.js", Path(app.outdir) / "_static/tex-svg.js")

    app.connect("build-finished", copy)
