"""What the change log keeps of an edited study file: the lines that differ, without codes."""

import difflib
import re

from annotation.models import Study, User, log_change

# Codes of a panel say that somebody has finished: who reads the log need not have them.
_CODE = re.compile(r"^(\s*\w*code\w*:).*$", re.MULTILINE)
# So many lines of a difference are kept, and so much of each.
_LINES, _WIDTH = 400, 500


def log_edit(*, study: Study, before: str, after: str, by: User | None) -> None:
    """Note that a study file was edited, with the difference line by line."""
    lines = difference(_CODE.sub(r"\1 (hidden)", before), _CODE.sub(r"\1 (hidden)", after))
    detail = {"difference": [line[:_WIDTH] for line in lines[:_LINES]], "lines": len(lines)}
    log_change(study=study, by=by, action="study.edited", detail=detail)


def difference(before: str, after: str) -> list[str]:
    """A unified difference of two files, line by line, without its heading."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return list(lines)[2:]
