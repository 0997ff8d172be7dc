"""Every format that a study can be imported from: ours, one line each, and those of other installed
packages."""

from functools import cache

from annotation.importing.formats.arena import Arena
from annotation.importing.formats.argilla import Argilla
from annotation.importing.formats.contract import Format
from annotation.importing.formats.doccano import Doccano
from annotation.importing.formats.fcexp import FcExp
from annotation.importing.formats.huggingface import HuggingFace
from annotation.importing.formats.inspect_logs import InspectLogs
from annotation.importing.formats.jsonl import Jsonl
from annotation.importing.formats.label_studio import LabelStudio
from annotation.importing.formats.lm_eval import LmEval
from annotation.importing.formats.politihop import PolitiHop
from annotation.importing.formats.potato import Potato
from annotation.importing.formats.prodigy import Prodigy
from annotation.importing.formats.promptfoo import PromptfooResults
from annotation.importing.formats.qags import Qags
from annotation.importing.formats.ranks import Ranks
from annotation.importing.formats.raters import Raters
from annotation.importing.formats.ratings import Ratings
from annotation.importing.formats.summary import Summary
from annotation.importing.formats.table import ItemsTable
from annotation.importing.formats.traces.langfuse import LangfuseTraces
from annotation.importing.formats.traces.mlflow import MlflowTraces
from annotation.importing.formats.traces.opentelemetry import OpenTelemetrySpans
from annotation.importing.formats.unieval import UniEval
from annotation.importing.formats.vitalerrors import VitalErrors
from jurybox.plugins import Plugins, load_plugins

FORMATS: dict[str, type[Format]] = {
    "jsonl": Jsonl,
    "table": ItemsTable,
    "fcexp": FcExp,
    "politihop": PolitiHop,
    "qags": Qags,
    "unieval": UniEval,
    "vitalerrors": VitalErrors,
    "ratings": Ratings,
    "raters": Raters,
    "ranks": Ranks,
    "summary": Summary,
    "inspect": InspectLogs,
    "label-studio": LabelStudio,
    "argilla": Argilla,
    "doccano": Doccano,
    "prodigy": Prodigy,
    "potato": Potato,
    "huggingface": HuggingFace,
    "lm-eval": LmEval,
    "arena": Arena,
    "promptfoo": PromptfooResults,
    "langfuse": LangfuseTraces,
    "mlflow": MlflowTraces,
    "otel": OpenTelemetrySpans,
}


@cache
def installed_formats() -> Plugins:
    """The formats of other packages."""
    return load_plugins("jurybox.formats", Format, ours=FORMATS, objection=_objection)


def every_format() -> dict[str, type[Format]]:
    """Ours, and then those of other packages."""
    return {**FORMATS, **installed_formats().kinds}


def _objection(_name: str, kind: type[Format]) -> str:
    return "" if hasattr(kind, "taken") else "it does not say what files it takes (taken)"
