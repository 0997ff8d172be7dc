"""Tools about the studies of a server, by the client: address and token are the environment's."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from jurybox.agent_tools.door import Door, bounded
from jurybox.client import Client, ClientError

# Rows of a reply at most.
MOST_ROWS = 200
# Seconds to wait for figures that are being counted.
PATIENCE_S, REQUEST_S, ATTEMPTS = 30.0, 30.0, 3
_OF_A_STUDY = ("slug", "title", "state", "role", "revision")
_OF_A_RUN = ("id", "judge", "subset", "state", "reason", "n_calls", "n_done", "max_cost", "spent")
_OF_AN_ESTIMATE = (
    *("metric", "facet", "raters", "group", "aggregation", "consensus"),
    *("value", "low", "high", "confidence", "n_units", "undefined"),
)
Slug = Annotated[str, Field(max_length=100, min_length=1)]
Most = Annotated[int, Field(ge=1, le=MOST_ROWS)]
Text = Annotated[str, Field(max_length=300)]


class StudyTools:
    """Each call opens a connection of its own, so that a new token counts at once."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def list_studies(self, most: Most = 50) -> str:
        """List the studies that the token opens, as JSON: address (slug), title, state, role."""
        with _client() as client:
            return _rows(client.studies(), _OF_A_STUDY, most)

    def results(
        self,
        study: Slug,
        *,
        metric: Text | None = None,
        raters: Text | None = None,
        facet: Text | None = None,
        group: Text | None = None,
        most: Most = 60,
    ) -> str:
        """Give figures of a study with their intervals, as JSON. A figure without a value says why
        (`undefined`): it is not zero.

        study: its slug. metric: such as krippendorff_alpha_nominal or true_negative_rate. raters:
        `humans`, a judge's name, or a pair such as `humans~gpt-4o`. group: such as
        `system=Alder`; empty for the whole study. Without filters the first rows of many come.
        """
        given = {"metric": metric, "raters": raters, "facet": facet, "group": group}
        filters = {name: value for name, value in given.items() if value is not None}
        with _client() as client:
            rows = client.study(study).estimates(newest=False, timeout=PATIENCE_S, **filters)
            return _rows(rows, _OF_AN_ESTIMATE, most)

    def judge_runs(self, study: Slug, most: Most = 20) -> str:
        """List the runs of judges in a study, as JSON: state, progress, what they cost in USD."""
        with _client() as client:
            return _rows(client.study(study).rows("runs", limit=most), _OF_A_RUN, most)

    def run_judge(
        self,
        study: Slug,
        *,
        judge: Text,
        max_cost: Annotated[float, Field(ge=0, le=100_000)],
        subset: Text = "",
        limit: Annotated[int, Field(ge=1, le=1_000_000)] | None = None,
    ) -> str:
        """Start a run of a judge that the study has; its row as JSON. It asks models and may cost
        money: agree on max_cost (USD; the run pauses there) with the user before.

        judge: its name, or name@version. subset: of units; empty for all. limit: of questions.
        """
        self._door.check_writing()
        with _client() as client:
            run = client.study(study).run_judge(
                judge, subset=subset, limit=limit, max_cost=f"{max_cost:.2f}"
            )
            return _json([_part(run, _OF_A_RUN)])


@contextmanager
def _client() -> Iterator[Client]:
    """A client whose errors are an agent's to read."""
    try:
        with Client(timeout=REQUEST_S, attempts=ATTEMPTS) as client:
            yield client
    except ClientError as error:
        raise ToolError(bounded(str(error))) from error


def _rows(rows: Iterable[Mapping[str, Any]], fields: Iterable[str], most: int) -> str:
    """As many rows, one a line, and whether there are more."""
    taken = list(islice(rows, most + 1))
    said = _json([_part(row, fields) for row in taken[:most]])
    return said + (f"\n(the first {most}; there are more)" if len(taken) > most else "")


def _part(row: Mapping[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in fields if name in row}


def _json(rows: list[dict[str, Any]]) -> str:
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return bounded(f"[{lines}]")
