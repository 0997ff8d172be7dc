"""The notebook of the documentation: run without a kernel, and shown as a page.

`NOTEBOOK=write .venv/bin/python -m pytest tests/jurybox/client/test_notebook.py` runs it on the
tests' server and keeps the outputs; without `NOTEBOOK` that test compares them.
"""

import ast
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from docs.generate.markdown import block

FILE = Path(__file__).resolve().parents[1] / "notebooks" / "study.ipynb"
Cell = dict[str, Any]


def page() -> str:
    """The notebook in Markdown, without its title."""
    parts = [part for cell in cells() for part in _shown(cell)]
    return "\n\n".join(parts).partition("\n\n")[2]


def cells() -> list[Cell]:
    """All cells of the notebook."""
    listed: list[Cell] = json.loads(FILE.read_text(encoding="utf-8"))["cells"]
    return listed


def run() -> list[Cell]:
    """The cells with the outputs that they have now, each run after the ones before it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    done, count = [], 0
    for cell in cells():
        if cell["cell_type"] == "code":
            count += 1
            outputs = list(_outputs("".join(cell["source"]), names, count))
            done.append({**cell, "execution_count": count, "outputs": outputs})
        else:
            done.append(cell)
    return done


def write(done: list[Cell]) -> None:
    """Keep the cells with their outputs."""
    notebook = json.loads(FILE.read_text(encoding="utf-8"))
    text = json.dumps({**notebook, "cells": done}, indent=1, ensure_ascii=False)
    FILE.write_text(f"{text}\n", encoding="utf-8")


def _outputs(source: str, names: dict[str, Any], count: int) -> Iterator[Cell]:
    """What a cell prints, and the value of its last line unless that ends in a semicolon."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    value = None
    with redirect_stdout(io.StringIO()) as printed:
        if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
            tree.body.pop()
            exec(compile(tree, FILE.name, "exec"), names)
            value = eval(compile(ast.Expression(last.value), FILE.name, "eval"), names)
        else:
            exec(compile(tree, FILE.name, "exec"), names)
    if printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        yield {"data": data, "execution_count": count, "metadata": {}} | {
            "output_type": "execute_result"
        }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _shown(cell: Cell) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield block("python", source)
    for output in cell["outputs"]:
        yield block("text", "".join(output.get("text") or output["data"]["text/plain"]))
