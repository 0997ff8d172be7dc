"""The raters of a file of answers."""

from itertools import count

from annotation.models import Rater, Study
from files.errors import Contradiction
from imports.answer_lines import AnswerLine
from imports.demonstration import kind_in
from imports.material.metadata import MOST, impersonal


class ImportedRaters:
    """The raters of a file, created at their first answer.

    pseudonyms: people become rater-1, rater-2, … in the order of their first answers; those of
    another file are other people.
    """

    def __init__(self, study: Study, *, pseudonyms: bool = False) -> None:
        self._study = study
        self._pseudonyms = pseudonyms
        self._by_name: dict[str, Rater] = {}

    def rater(self, line: AnswerLine) -> Rater:
        """The rater of a line; Contradiction where the name is that of somebody else."""
        name, kind = line.rater, kind_in(self._study, line.kind)
        if name not in self._by_name:
            self._by_name[name] = self._find_or_create(line)
            self._by_name[name].study = self._study  # spares a query
        rater = self._by_name[name]
        if rater.kind != kind:
            raise Contradiction(line.where, "kind", f"{name!r} is {rater.kind}, not {kind}")
        self._learn_family(rater, line)
        self._learn_metadata(rater, line)
        return rater

    def _learn_family(self, rater: Rater, line: AnswerLine) -> None:
        family = line.family
        if not family or family == rater.family:
            return
        if rater.family:
            reason = f"{rater.name!r} is of {rater.family}, not {family}"
            raise Contradiction(line.where, "family", reason)
        rater.family = family
        rater.save(update_fields=["family"])

    def _learn_metadata(self, rater: Rater, line: AnswerLine) -> None:
        """Of a property that changes from line to line the first value stays."""
        new = {name: of for name, of in line.rater_metadata.items() if name not in rater.metadata}
        if new and (new := impersonal(new)) and len(rater.metadata) + len(new) <= MOST:
            rater.metadata |= new
            rater.save(update_fields=["metadata"])

    def _find_or_create(self, line: AnswerLine) -> Rater:
        name = line.rater
        kind = kind_in(self._study, line.kind)
        if self._pseudonyms and kind == Rater.Kind.HUMAN.value:
            name = self._next_pseudonym()
        standing = self._study.raters.filter(name=name).order_by("-version").first()
        if standing is None:
            return Rater.objects.create(
                study=self._study,
                name=name,
                kind=kind,
                origin=Rater.Origin.IMPORTED,
            )
        if standing.origin != Rater.Origin.IMPORTED:
            raise Contradiction(line.where, "rater", f"{name!r} answers here; use another name")
        return standing

    def _next_pseudonym(self) -> str:
        taken = set(self._study.raters.values_list("name", flat=True))
        return next(name for n in count(1) if (name := f"rater-{n}") not in taken)
