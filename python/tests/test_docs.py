"""The blocks of docs/python.md run one after another, as a reader would type them."""

import os
import re

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


def test_blocks_of_the_page_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    with open("docs/python.md", encoding="utf-8") as page:
        blocks = re.findall(r"```python\n(.*?)```", page.read(), re.DOTALL)
    assert len(blocks) > 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert names["runs"].q.shape == (32, 50, 2) and names["runs"].ok.all()
