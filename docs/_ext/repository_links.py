"""Links of the repository as those of a site. A link to a folder leads to its README where that is a page, else it is the
folder's name. A link whose text is the name of a page's file has the page's title instead. Links to files that are no
pages become copies of these, which Sphinx does by itself; a link that leads nowhere stays, and Sphinx says so."""
from pathlib import Path

from docutils import nodes
from sphinx import addnodes


def resolve(app, doctree):
    folder = Path(app.env.doc2path(app.env.docname)).parent
    for link in list(doctree.findall(addnodes.pending_xref)):
        target = link.get("reftarget", "")
        if link.get("refdomain") == "doc" and link.astext().endswith(".md"):
            link["refexplicit"] = False
        path = (folder / target).resolve()
        if link.get("reftype") != "myst" or not target or not path.is_dir():
            continue
        page = (path / "README").relative_to(app.srcdir).as_posix()
        if page in app.env.found_docs:
            link["refdomain"], link["reftarget"], link["reftargetid"] = "doc", page, None
        else:
            link.replace_self(nodes.inline("", "", *link.children))


def setup(app):
    app.connect("doctree-read", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
