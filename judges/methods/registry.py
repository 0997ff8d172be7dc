"""All judge methods: one line each."""

from typing import Any

from judges.methods.contract import Method
from judges.methods.embedding import Embedding
from judges.methods.fingract import FinGrAct
from judges.methods.geval import GEval
from judges.methods.jury import Jury
from judges.methods.lexical import Lexical
from judges.methods.nli import Nli
from judges.methods.prometheus import Prometheus
from judges.methods.scripted import Scripted
from judges.methods.unieval import UniEval
from judges.methods.vital import Vital
from judges.methods.zero_shot import ZeroShot

METHODS: tuple[type[Method[Any]], ...] = (
    Lexical,
    Scripted,
    ZeroShot,
    GEval,
    Prometheus,
    FinGrAct,
    Vital,
    Jury,
    Embedding,
    Nli,
    UniEval,
)

_BY_NAME = {method.name: method for method in METHODS}


def find_method(name: str) -> type[Method[Any]]:
    """The method of that name; KeyError with the known names where there is none."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise KeyError(f"no judge method {name!r} (known: {', '.join(_BY_NAME)})") from None
