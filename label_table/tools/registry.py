"""The tools whose results files are known by their looks, one line each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from files.errors import ImportFailure
from label_table.tools.signs import Signs, signs_of

if TYPE_CHECKING:
    from imports.formats.rated_outputs import RatedOutputs


@dataclass(frozen=True)
class Tool:
    """A tool. name: its format's, as `import_study` and --tool have it. reader: the module and the
    class of that format, which is imported when a file is read. wrote: whether it wrote a file.
    together: whether files of it that lie in one folder belong together."""

    name: str
    title: str
    reader: str
    wrote: Callable[[Signs], bool]
    together: bool = True

    @property
    def format(self) -> "type[RatedOutputs]":
        """The format, as studies are imported from it."""
        module, _, kind = self.reader.partition(":")
        found: type[RatedOutputs] = getattr(import_module(f"imports.formats.{module}"), kind)
        return found


# What --tool takes for no tool.
PLAIN = "table"
# People's labels of `results.json` stand in `results.labels.csv`.
ENDING = ".labels.csv"


def _promptfoo(signs: Signs) -> bool:
    whole = signs.has("results.version") and signs.has("evalId", "results.prompts")
    return whole or signs.has("testIdx", "promptIdx")


def _inspect(signs: Signs) -> bool:
    packed = signs.has("header.json") or any(k.startswith("_journal/") for k in signs.keys)
    return packed or signs.has("eval.task", "eval.model")


def _mlflow(signs: Signs) -> bool:
    trace = signs.has("info", "data") and not signs.keys.isdisjoint(
        ("info.trace_id", "info.request_id")
    )
    return trace or signs.keys == {"columns", "data"}


def _langfuse(signs: Signs) -> bool:
    keys = {key.removeprefix("data.").replace("_", "").lower() for key in signs.keys}
    about = not keys.isdisjoint(("traceid", "subject", "sessionid", "observationid"))
    score = about and {"datatype", "source", "name"} <= keys
    observation = {"traceid", "type", "starttime"} <= keys and "parentobservationid" in keys
    trace = {"id", "observations", "scores"} <= keys or {"bookmarked", "input", "output"} <= keys
    return score or observation or trace


def _lm_eval(signs: Signs) -> bool:
    return signs.has("doc_id", "arguments", "resps")


def _deepeval(signs: Signs) -> bool:
    keys = {key.removeprefix("testRunData.") for key in signs.keys}
    return {"testCases", "testCases.metricsData"} <= keys or {"testCases", "metricsScores"} <= keys


def _openai(signs: Signs) -> bool:
    item = signs.has("datasource_item", "results") or signs.has("data.datasource_item")
    return item or signs.has("spec", "spec.eval_name") or signs.has("sample_id", "type", "data")


def _ragas(signs: Signs) -> bool:
    return signs.has("user_input", "response") and "retrieved_contexts" in signs.keys


TOOLS = (
    Tool("promptfoo", "promptfoo", "tools.promptfoo:PromptfooResults", _promptfoo, together=False),
    Tool("inspect", "inspect_ai", "tools.inspect_logs:InspectLogs", _inspect),
    Tool("mlflow", "MLflow", "traces.mlflow:MlflowTraces", _mlflow),
    Tool("langfuse", "Langfuse", "traces.langfuse:LangfuseTraces", _langfuse),
    Tool("lm-eval", "lm-evaluation-harness", "tools.lm_eval:LmEval", _lm_eval),
    Tool("deepeval", "DeepEval", "tools.deepeval:DeepEvalRuns", _deepeval, together=False),
    Tool("openai-evals", "OpenAI evals", "tools.openai_evals:OpenAiEvals", _openai, together=False),
    Tool("ragas", "Ragas", "tools.ragas:RagasResults", _ragas, together=False),
)


def tool_of(signs: Signs) -> Tool | None:
    """The tool that wrote a file; None where it looks like no tool's."""
    return next((tool for tool in TOOLS if tool.wrote(signs)), None)


@dataclass(frozen=True)
class ToolFiles:
    """Files of one tool, and the tables of people's labels that were named with them or stand
    beside them."""

    tool: Tool
    results: Sequence[Path]
    labels: Sequence[Path] = ()


def tool_files(files: Sequence[Path], name: str = "") -> ToolFiles | None:
    """The files as those of the tool that is named, or that wrote them; None for plain tables.
    ImportFailure for an unknown name, or where several tools wrote them."""
    if name == PLAIN:
        return None
    labels = [path for path in files if path.name.endswith(ENDING)]
    results = [path for path in files if path not in labels]
    if name:
        named = next((tool for tool in TOOLS if tool.name == name), None)
        if named is None:
            known = ", ".join([*(tool.name for tool in TOOLS), PLAIN])
            raise ImportFailure("--tool", "option", f"no tool {name!r} (known: {known})")
        return ToolFiles(named, results, labels or _beside(results))
    of = {path: tool_of(signs_of(path)) for path in results if path.is_file()}
    tools = {tool.name: tool for tool in of.values() if tool is not None}
    if len(tools) > 1:
        reason = f"results of {' and '.join(sorted(tools))}: check those of one tool at a time"
        raise ImportFailure(str(files[0]), "files", reason)
    for tool in tools.values():
        labels += [path for path, its in of.items() if its is None]
        results = [path for path in results if path not in labels]
        return ToolFiles(tool, results, labels or _beside(results))
    return None


def _beside(files: Sequence[Path]) -> Sequence[Path]:
    """The tables of labels that stand beside results files."""
    found = (path.with_name(path.name.split(".")[0] + ENDING) for path in files)
    return [path for path in dict.fromkeys(found) if path.is_file()]
