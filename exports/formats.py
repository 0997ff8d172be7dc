"""The formats of an export, and the files of each."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from annotation.answers.moments import moment_of
from annotation.models import GoldAnswer, Study
from annotation.models.answers import Moment
from estimates.data.bundles.layout import CALLS, CARDS, GOLD, MANIFEST
from estimates.report.cache import Report, report_of
from estimates.report.live import as_shown
from exports import bundle, frames, readme, workbook
from exports.choice import ExportChoice
from exports.dataset import tables
from exports.dataset.about import dataset_readme_lines
from exports.dataset.card import card_lines
from exports.dataset.croissant import croissant_lines
from exports.dataset.publication import parts_of
from exports.dataset.rows import Dataset
from exports.label_studio import LabelStudioTasks
from exports.records import item_lines
from exports.tables.answers import answer_lines
from exports.tables.calibrated import calibrated_lines
from exports.tables.estimates import estimate_lines
from exports.tables.gold import gold_lines
from exports.tables.ratings import rating_lines
from exports.tables.told import questionnaire_lines, text_lines
from exports.tables.wide import wide_lines
from judges.models import Call
from workbench.cards.gathering import cards_of
from workbench.cards.writing import files_of as files_of_cards

# Text line by line, or bytes in pieces.
Pieces = Iterator[str] | Iterator[bytes]
Sums = Mapping[str, str]
README = "README.txt"
# How often the estimates are counted again for files of one moment.
TRIES = 3


@dataclass(frozen=True)
class Files:
    """The files of an export by name, in the order in which they are written. closing: those
    written after the others, from the SHA-256 of each of them by name."""

    parts: Mapping[str, Callable[[], Pieces]]
    closing: Mapping[str, Callable[[Sums], Iterator[str]]] = field(default_factory=dict)


def _jsonl(study: Study, choice: ExportChoice) -> Files:
    moment = moment_of(study)
    return Files(
        {
            README: lambda: readme.readme_lines(study, readme.JSONL, moment=moment),
            "items.jsonl": partial(item_lines, study),
            "answers.jsonl": partial(
                answer_lines, study, moment=moment, personal=bool(choice.personal)
            ),
            **_gold(study),
        }
    )


def _csv(study: Study, choice: ExportChoice) -> Files:
    report, moment = _reported(study)
    return Files(
        {
            README: lambda: readme.readme_lines(study, readme.CSV, moment=moment),
            "ratings.csv": partial(rating_lines, study, choice, moment=moment),
            "wide.csv": partial(wide_lines, study, choice, moment=moment),
            "estimates.csv": partial(estimate_lines, report),
            "calibrated.csv": partial(calibrated_lines, study, moment=moment),
        }
    )


def _reported(study: Study) -> tuple[Report, Moment]:
    """The report, and a moment in which the answers are those that it counts; where they change
    all the time, a moment after it was counted."""
    for _ in range(TRIES):
        report, moment = report_of(study), moment_of(study)
        if moment.revision == report.revision:
            break
    return report, moment


def _parquet(study: Study, choice: ExportChoice) -> Files:
    report, moment = _reported(study)
    return Files(
        {
            README: lambda: readme.readme_lines(study, readme.PARQUET, "standing", moment=moment),
            "ratings.parquet": partial(frames.rating_pieces, study, choice, moment=moment),
            "estimates.parquet": partial(frames.estimate_pieces, report),
        }
    )


def _xlsx(study: Study, choice: ExportChoice) -> Files:
    report, moment = _reported(study)
    pieces = partial(workbook.workbook_pieces, study, choice, report, moment)
    return Files({"results.xlsx": pieces})


def _bundle(study: Study, _choice: ExportChoice) -> Files:
    return Files(
        {
            README: lambda: readme.readme_lines(study, readme.BUNDLE, "standing"),
            **{name: partial(lines, study) for name, lines in bundle.FILES.items()},
            **_gold(study),
            **_cards(study),
        },
        {MANIFEST: lambda sums: iter([json.dumps(sums, indent=1)])},
    )


def _gold(study: Study) -> dict[str, Callable[[], Pieces]]:
    """The file of gold answers, where there are any."""
    decided = GoldAnswer.objects.filter(study=study).exists()
    return {GOLD: partial(gold_lines, study)} if decided else {}


def _cards(study: Study) -> dict[str, Callable[[], Pieces]]:
    """The cards of the judges, and the calls that they rest on; none where no judge answered."""
    cards = files_of_cards(cards_of(study, as_shown(report_of(study))))
    parts: dict[str, Callable[[], Pieces]] = {
        f"{CARDS}{name}": partial(_whole, text) for name, text in cards.items()
    }
    asked = Call.objects.filter(run__study=study, run__probe_set=None).exists()
    return {**({CALLS: partial(bundle.call_lines, study)} if asked else {}), **parts}


def _whole(text: Callable[[], str]) -> Iterator[str]:
    yield text()


def _dataset(study: Study, choice: ExportChoice) -> Files:
    # One Dataset for all: each file then has the same answers in it.
    dataset = Dataset(study, choice)
    return Files(
        {
            README: lambda: dataset_readme_lines(dataset),
            "dataset.csv": partial(tables.csv_lines, dataset),
            "dataset.jsonl": partial(tables.json_lines, dataset),
            "dataset.parquet": partial(tables.parquet_pieces, dataset),
        }
    )


def _huggingface(study: Study, choice: ExportChoice) -> Files:
    dataset = Dataset(study, choice)
    parts = parts_of(dataset)
    return Files(
        {
            "README.md": partial(card_lines, dataset, parts),
            **{part.path: part.pieces for part in parts},
        },
        {"croissant.json": partial(croissant_lines, dataset, parts)},
    )


def _label_studio(study: Study, _choice: ExportChoice) -> Files:
    tasks = LabelStudioTasks(study, moment_of(study))
    return Files(
        {
            README: tasks.readme_lines,
            "tasks.json": tasks.task_lines,
            "label_config.xml": tasks.config_lines,
        }
    )


def _with_told(about: Callable[[], Pieces] | None) -> Iterator[str]:
    """A README that names the files of personal data, too."""
    yield from (str(line) for line in (() if about is None else about()))
    yield readme.TOLD


def files_of(study: Study, format_name: str, choice: ExportChoice) -> Files:
    """The files of a format, with those of personal data where they were chosen."""
    files = FORMATS[format_name](study, choice)
    if not choice.personal or format_name in IMPERSONAL:
        return files
    moment, about = moment_of(study), files.parts.get(README)
    told: dict[str, Callable[[], Pieces]] = {
        README: partial(_with_told, about),
        "texts.csv": partial(text_lines, study, moment=moment),
        "questionnaires.csv": partial(questionnaire_lines, study),
    }
    return Files({**files.parts, **told}, files.closing)


# What each makes of a study and of what was chosen of it.
FORMATS: dict[str, Callable[[Study, ExportChoice], Files]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "parquet": _parquet,
    "xlsx": _xlsx,
    "bundle": _bundle,
    "dataset": _dataset,
    "huggingface": _huggingface,
    "label-studio": _label_studio,
}
# Formats that are one archive wherever they go, with the SHA-256 of each of its files at the end.
SEALED = ("bundle",)
# Formats in which no rater is named but judges.
NAMELESS = ("dataset",)
# Formats that never hold personal data: also those that are made to be published.
IMPERSONAL = (*NAMELESS, "huggingface")
