"""A study as tasks of Label Studio: its texts with everybody's answers as annotations, judges' as
predictions, and the labelling interface that they belong to."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from xml.sax.saxutils import quoteattr

from django.db.models import Count

from annotation.models import Annotation, Block, Rater, Rating, Study, Unit
from annotation.models.answers import Moment
from exports.readme import readme_lines
from exports.tables.answers import exported, names_of_raters
from imports.formats.tools.label_studio import ANSWERED, RATER, UNIT_KEY
from tasktypes.likert import LIKERT
from tasktypes.likert.schema import Scale
from tasktypes.slider import SLIDER
from tasktypes.texts.material import is_known

CHUNK = 200
# Where a sentence begins and ends in the text that is shown, and its words.
Part = tuple[int, int, str]
SHOWN, TALK = "text", "dialogue"
YES, YES_NO = "yes", {"yes", "no"}
FILES = """\
tasks.json        a task per unit of one item, with annotations of people and predictions of judges
label_config.xml  the labelling interface of these tasks
In Label Studio make a project with this interface (Settings, Labeling Interface, Code), then import
tasks.json. Its annotations then belong to whoever imports them: Label Studio takes no annotators
that have no account there. `import_study label-studio tasks.json` reads both again, with raters.
Normal units alone are here: controls would be taken for questions like any other.
"""


@dataclass(frozen=True)
class Control:
    """What asks for one facet. kind: Label Studio's name of what it answers."""

    name: str
    kind: str
    question: str
    points: Sequence[str] = ()

    @property
    def tag(self) -> str:
        """Its part of the labelling interface."""
        about = f'name={quoteattr(self.name)} toName="{SHOWN}"'
        if self.kind == "rating":
            return f"<Rating {about} maxRating={quoteattr(self.points[-1])}/>"
        if self.kind == "number":
            return f"<Number {about}/>"
        outer, inner = ("Choices", "Choice") if self.kind == "choices" else ("Labels", "Label")
        points = "".join(f"<{inner} value={quoteattr(point)}/>" for point in self.points)
        return f"<{outer} {about}>{points}</{outer}>"


class LabelStudioTasks:
    """The tasks of a study. Blocks of other kinds than scales have no control there that takes
    their answers, and are left out; so are units that show several items, and questions about the
    turns of a conversation one by one."""

    def __init__(self, study: Study, moment: Moment | None = None) -> None:
        self.study = study
        self.moment = moment
        self.blocks = [b for b in study.blocks.all() if b.task_type in (LIKERT, SLIDER)]
        self.controls = {b.pk: dict(self._controls(b)) for b in self.blocks}

    def config_lines(self) -> Iterator[str]:
        """The labelling interface."""
        yield "<View>\n"
        if self.study.caution:
            yield f"  <Header value={quoteattr(self.study.caution)}/>\n"
        talks = self.study.sources.exclude(turns=[]).exists()
        if talks:
            yield f'  <Paragraphs name="{TALK}" value="${TALK}" layout="dialogue"/>\n'
        yield f'  <Text name="{SHOWN}" value="${SHOWN}"/>\n'
        for controls in self.controls.values():
            for control in controls.values():
                yield f"  <Header value={quoteattr(control.question)}/>\n  {control.tag}\n"
        yield "</View>\n"

    def task_lines(self) -> Iterator[str]:
        """The tasks, as the one array that Label Studio imports."""
        names = names_of_raters(self.study)
        units = iter(self._units().iterator(CHUNK))
        number, begun = 0, "["
        while chunk := list(islice(units, CHUNK)):
            answers = self._answers(chunk)
            for unit in chunk:
                number += 1
                task = self._task(number, unit, answers.get(unit.pk, ()), names)
                yield f"{begun}\n{json.dumps(task, ensure_ascii=False, allow_nan=False)}"
                begun = ","
        yield "[]\n" if begun == "[" else "\n]\n"

    def readme_lines(self) -> Iterator[str]:
        """What is in the files, and how much is not."""
        answers = exported(self.study, moment=self.moment)
        here = answers.filter(question__unit__in=self._units(), question__block__in=self.blocks)
        left_out = answers.count() - here.count()
        told = f"Answers left out, as Label Studio has no place for them: {left_out}\n"
        yield from readme_lines(self.study, FILES + told, "standing", moment=self.moment)

    def _units(self) -> Any:
        units = Unit.objects.filter(study=self.study, role=Unit.Role.NORMAL)
        units = units.annotate(shown=Count("unit_items")).filter(shown=1)
        units = units.exclude(check_state__in=Unit.UNUSED).order_by("pk")
        return units.select_related("source").prefetch_related("unit_items__item")

    def _answers(self, units: Iterable[Unit]) -> Mapping[int, Sequence[Annotation]]:
        of_unit: dict[int, list[Annotation]] = defaultdict(list)
        rows = exported(self.study, moment=self.moment).filter(question__unit__in=list(units))
        rows = rows.filter(question__block__in=self.blocks).select_related("rater", "question")
        for answer in rows.order_by("pk"):
            of_unit[answer.question.unit_id].append(answer)
        return of_unit

    def _controls(self, block: Block) -> Iterator[tuple[str, Control]]:
        options: Any = block.typed_options
        if block.task_type is SLIDER:
            yield options.facet, Control(options.facet, "number", options.question)
            return
        for criterion in options.criteria:
            values = [str(point.text) for point in criterion.points]
            kind, points = self._kind(criterion, options.per_sentence), values
            if kind == "labels" and set(values) == YES_NO:
                points = [criterion.key]
            yield criterion.key, Control(criterion.key, kind, criterion.question, points)

    def _kind(self, criterion: Scale, per_sentence: bool) -> str:
        if per_sentence:
            return "labels"
        if criterion.distance == "nominal":
            return "choices"
        stars = [float(n) for n in range(1, len(criterion.points) + 1)]
        stored = Rating.objects.filter(annotation__study=self.study, facet=criterion.key)
        numbers = stored.values_list("number", flat=True).distinct()
        whole = all(number is None or float(number).is_integer() for number in numbers)
        return "rating" if list(criterion.values) == stars and whole else "number"

    # --- A task --------------------------------------------------------------------------------

    def _task(
        self, number: int, unit: Unit, answers: Sequence[Annotation], names: Mapping[int, str]
    ) -> dict[str, Any]:
        item = unit.unit_items.all()[0].item
        read = item.material
        sentences = [
            (*place, sentence.text)
            for place, sentence in zip(read.offsets, read.sentences, strict=True)
        ]
        of_talk = any(sentence.get("turn") is not None for sentence in item.sentences)
        people: dict[tuple[int, int], dict[str, Any]] = {}
        machines: dict[tuple[int, int], dict[str, Any]] = {}
        for answer in answers:
            by_kind = machines if answer.rater.kind == Rater.Kind.JUDGE else people
            if answer.rater.kind != Rater.Kind.SIMULATED:
                slot = answer.rater_id, answer.replicate
                made = by_kind.setdefault(slot, {"result": [], ANSWERED: []})
                made["result"].extend(self._regions(answer, () if of_talk else sentences))
                made[ANSWERED].extend(self._of_parts(answer))
        return {
            "id": number,
            "data": _data(unit, item),
            **({"meta": {"caution": self.study.caution}} if self.study.caution else {}),
            "annotations": [{RATER: names[rater], **of} for (rater, _), of in people.items()],
            "predictions": [
                {"model_version": names[rater], **of} for (rater, _), of in machines.items()
            ],
        }

    def _of_parts(self, answer: Annotation) -> Sequence[str]:
        """The controls of an answer by which parts of the text are marked."""
        controls = self.controls[answer.question.block_id].values()
        return [control.name for control in controls if control.kind == "labels"]

    def _regions(self, answer: Annotation, sentences: Sequence[Part]) -> Iterator[dict[str, Any]]:
        """The regions that an answer is. sentences: none where their places cannot be told."""
        controls = self.controls[answer.question.block_id]
        content = answer.answer
        scores = content.get("scores") or {next(iter(controls)): content.get("value")}
        for facet, value in scores.items():
            control = controls[facet]
            if control.kind == "labels":
                for where in _marked(control, value, sentences):
                    yield _region(answer, control, where)
            elif control.kind == "choices":
                yield _region(answer, control, {"choices": [value]})
            else:
                number = int(value) if control.kind == "rating" else value
                yield _region(answer, control, {control.kind: number})


def _marked(
    control: Control, values: Sequence[Any], sentences: Sequence[Part]
) -> Iterator[dict[str, Any]]:
    """The sentences that are marked: of a question of yes and no those with yes, else all."""
    for (start, end, text), value in zip(sentences, values, strict=False):
        label = control.name if value == YES and len(control.points) == 1 else str(value)
        if label in control.points:
            yield {"start": start, "end": end, "text": text, "labels": [label]}


def _region(answer: Annotation, control: Control, value: Mapping[str, Any]) -> dict[str, Any]:
    place = f"-{value['start']}" if "start" in value else ""
    return {
        "id": f"{answer.pk}-{control.name}{place}",
        "from_name": control.name,
        "to_name": SHOWN,
        "type": control.kind,
        "value": dict(value),
    }


def _data(unit: Unit, item: Any) -> dict[str, Any]:
    source = unit.source
    texts = {"claim": source.claim, "question": source.query, "document": source.document}
    present = {name: text for name, text in texts.items() if is_known(text)}
    turns = [{"author": turn.speaker, "text": turn.words} for turn in source.material.turns]
    of_talk = any(sentence.get("turn") is not None for sentence in item.sentences)
    return {
        UNIT_KEY: unit.key,
        **({} if of_talk else {SHOWN: item.text}),
        **present,
        **({TALK: turns} if turns else {}),
        **({"system": item.system} if item.system else {}),
    }
