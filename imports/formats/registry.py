"""Every format that a study can be imported from: ours, one line each, and those of other installed
packages."""

from functools import cache

from imports.formats.contract import Format
from imports.formats.datasets.fcexp import FcExp
from imports.formats.datasets.politihop import PolitiHop
from imports.formats.datasets.qags import Qags
from imports.formats.datasets.unieval import UniEval
from imports.formats.datasets.vitalerrors import VitalErrors
from imports.formats.hub.huggingface import HuggingFace
from imports.formats.own.jsonl import Jsonl
from imports.formats.own.ranks import Ranks
from imports.formats.own.raters import Raters
from imports.formats.own.ratings import Ratings
from imports.formats.own.summary import Summary
from imports.formats.own.table import Tables
from imports.formats.tools.arena import Arena
from imports.formats.tools.argilla import Argilla
from imports.formats.tools.deepeval import DeepEvalRuns
from imports.formats.tools.doccano import Doccano
from imports.formats.tools.inspect_logs import InspectLogs
from imports.formats.tools.label_studio import LabelStudio
from imports.formats.tools.lm_eval import LmEval
from imports.formats.tools.openai_evals import OpenAiEvals
from imports.formats.tools.potato import Potato
from imports.formats.tools.prodigy import Prodigy
from imports.formats.tools.promptfoo import PromptfooResults
from imports.formats.tools.ragas import RagasResults
from imports.formats.traces.langfuse import LangfuseTraces
from imports.formats.traces.mlflow import MlflowTraces
from imports.formats.traces.opentelemetry import OpenTelemetrySpans
from jurybox.plugins import Plugins, load_plugins

FORMATS: dict[str, type[Format]] = {
    "jsonl": Jsonl,
    "table": Tables,
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
    "deepeval": DeepEvalRuns,
    "openai-evals": OpenAiEvals,
    "ragas": RagasResults,
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
