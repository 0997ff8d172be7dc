"""What a paper takes compiles: paragraphs, references and every table, in a page of two columns."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from estimates.report.cache import Report, report_of
from results.paper.material import panels_of, texts_of
from results.tables.choice import PageFilter
from results.tables.latex import as_latex
from results.tables.origin import origin_of
from tests.results.two_criteria import import_two_criteria

# As the style of ACL sets a page: two columns of 219 pt, together 455 pt.
DOCUMENT = r"""
\documentclass[11pt,twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs,graphicx,natbib,url}
\setlength{\textwidth}{455pt}\setlength{\columnsep}{17pt}\setlength{\textheight}{700pt}
\emergencystretch=3em
\begin{document}
%s
\clearpage
%s
\bibliographystyle{plainnat}
\bibliography{works}
\end{document}
"""
# What a line of type may stick out by.
SLACK = 3
OVERFULL = re.compile(r"Overfull \\hbox \((\d+\.\d+)pt too wide\)")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
    pytest.mark.skipif(
        not (shutil.which("pdflatex") and shutil.which("bibtex")),
        reason="no LaTeX here: Debian's texlive-latex-recommended has it",
    ),
]


def tables(report: Report) -> str:
    """Every table of the study, a page after each few: LaTeX holds no more than eighteen."""
    texts = []
    for at, panel in enumerate(panels_of(report, PageFilter())):
        origin = origin_of(report, PageFilter(), whole=panel.whole, key=panel.key)
        texts.append(as_latex(panel.alone, origin))
        if at % 6 == 5:
            texts.append("\\clearpage")
    return "\n".join(texts)


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-3000:]
    return said


def test_everything_compiles_and_no_table_is_wider_than_the_page(tmp_path: Path) -> None:
    report = report_of(import_two_criteria(tmp_path))
    texts = texts_of(report)
    (tmp_path / "works.bib").write_text(texts.bibtex(), encoding="utf-8")
    document = DOCUMENT % (texts.as_latex(), tables(report))
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    latex = ("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex")
    run(tmp_path, *latex)
    run(tmp_path, "bibtex", "paper")
    run(tmp_path, *latex)
    last = run(tmp_path, *latex)
    assert "Citation" not in last  # none is undefined
    too_wide = [float(by) for by in OVERFULL.findall(last) if float(by) > SLACK]
    assert not too_wide, last[-3000:]
