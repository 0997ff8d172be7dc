"""Questions that a run leaves out, because they do not show what its judge needs to see."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Annotation, Rater, Study, Unit
from judges.methods.asks import Ask
from judges.methods.contract import Method
from tasktypes.machines.needs import NAMES, Need, named

# How many units are named.
EXAMPLES = 3


@dataclass
class LeftOut:
    """The questions left out so far, and what they lack. units: keys, each once. blocks: by the
    keys of those that are not answered at all, why."""

    blocks: Mapping[str, str] = field(default_factory=dict)
    asks: int = 0
    needs: set[Need] = field(default_factory=set)
    units: dict[str, None] = field(default_factory=dict)

    def sift(self, method: Method[Any], asks: Iterable[Ask]) -> Iterator[Ask]:
        """The asks that show what the method needs; the others are counted."""
        for ask in asks:
            if missing := _missing(method, ask):
                self.asks += 1
                self.needs.update(missing)
                self.units[ask.unit] = None
            else:
                yield ask

    def as_json(self) -> dict[str, Any]:
        """As `JudgeRun.left_out` keeps it."""
        blocks = {"blocks": dict(self.blocks)} if self.blocks else {}
        if not self.units:
            return blocks
        examples = list(islice(self.units, EXAMPLES))
        needs = [need for need in NAMES if need in self.needs]
        return {"units": len(self.units), "examples": examples, "needs": needs, **blocks}

    @property
    def complaint(self) -> str:
        """What a judge needs, where there is nothing besides what is left out."""
        left_out = self.as_json()
        number = left_out["units"]
        units = "the only unit lacks" if number == 1 else f"all {number} units lack"
        return f"needs {named(left_out['needs'])}, which {units}: {_examples(left_out)}"


def left_out_sentence(left_out: Mapping[str, Any]) -> str:
    """What a run leaves out, and why; empty where it asks everything."""
    sentences = block_sentences(left_out.get("blocks", {}))
    if number := left_out.get("units"):
        units = "1 unit is" if number == 1 else f"{number} units are"
        lack = f"for lack of {named(left_out['needs'])}: {_examples(left_out)}"
        sentences.append(f"{units} left out {lack}.")
    return " ".join(sentences)


def block_sentences(blocks: Mapping[str, str]) -> list[str]:
    """Which blocks are not answered, and why."""
    return [f"Block {key} is not answered: {reason}." for key, reason in blocks.items()]


def units_of_examples(study: Study, keys: Iterable[str]) -> QuerySet[Unit]:
    """The units of those keys, which a judge is shown with their answers, and all others of their
    sources: about the same material the judge would not be asked blind."""
    sources = Unit.objects.filter(study=study, key__in=list(keys)).order_by().values("source")
    return Unit.objects.filter(study=study, source__in=sources).order_by()


def units_beside_controls(study: Study) -> QuerySet[Unit]:
    """The normal units that nobody is asked about, because a control is about their source: there
    would be nobody to compare a judge with. None in a study that has no rounds; not those that
    people have answered or are asked about nevertheless."""
    by_people = Annotation.objects.filter(
        question__unit=OuterRef("pk"), rater__kind=Rater.Kind.HUMAN, superseded_at=None
    )
    beside: QuerySet[Unit] = study.units.lent_to_controls().filter(Exists(study.rounds.all()))
    return beside.filter(places=None).exclude(Exists(by_people)).order_by()


def _missing(method: Method[Any], ask: Ask) -> Sequence[Need]:
    try:
        return method.missing(ask)
    except ValueError:
        return ()  # a question that cannot be read fails by itself


def _examples(left_out: Mapping[str, Any]) -> str:
    more = ", …" if left_out["units"] > len(left_out["examples"]) else ""
    return ", ".join(left_out["examples"]) + more
