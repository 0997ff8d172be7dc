"""Answers that files hold under a proposed reading, as frames, and figures of them by libraries
other than ours."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import krippendorff
import pandas as pd  # type: ignore[import-untyped]

from files.readers.raw_tables import RawTable, raw_tables
from files.reading.judgements import ReadTables
from files.reading.model import Reading
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed
from files.skipped import SkippedRecords


def settled(
    tables: Sequence[RawTable], decided: Mapping[str, str] | None = None
) -> Iterator[tuple[dict[str, str], Proposal]]:
    """Every way to answer all questions, with the proposal that comes of it."""
    decided = dict(decided or {})
    proposal = proposed(tables, Stated(decided=decided))
    still = [question for question in proposal.questions if question.key not in decided]
    if not still:
        yield decided, proposal
        return
    for choice in still[0].choices:
        yield from settled(tables, {**decided, still[0].key: choice.key})


def frame_of(reading: Reading, tables: Sequence[RawTable]) -> Any:
    """A row an answer: its unit's source, systems, texts and part beside what it says itself."""
    told = ReadTables(reading, tables, SkippedRecords(strict=False))
    units = {unit.key: unit for unit in told.units()}
    rows = []
    for answer in told.answers():
        unit = units[answer.unit]
        first, *more = unit.outputs
        rows.append(
            answer._asdict()
            | {
                "source": unit.source,
                "part": unit.part,
                "system": first.system,
                "second": more[0].system if more else "",
                "text": first.text,
            }
        )
    return pd.DataFrame(rows)


def read_at_once(*paths: Path) -> tuple[Proposal, Any]:
    """The proposal of files that leave nothing open, and the answers."""
    tables = raw_tables(paths)
    proposal = proposed(tables)
    assert not proposal.questions, [question.text for question in proposal.questions]
    return proposal, frame_of(proposal.reading, tables)


def alpha(frame: Any, level: Literal["nominal", "ordinal", "interval"]) -> float:
    """Krippendorff's, of the first answer of each rater to a unit and criterion."""
    first = frame[frame.replicate == 0]
    codes = first.value if level != "nominal" else first.value.astype("category").cat.codes
    table = first.assign(code=codes.astype(float)).pivot_table(
        index="rater", columns=["unit", "criterion"], values="code", aggfunc="first"
    )
    return float(krippendorff.alpha(reliability_data=table.to_numpy(), level_of_measurement=level))


def won_less_lost(frame: Any, comparisons: int) -> dict[str, float]:
    """By system, how often it won less how often it lost, in percent of its comparisons."""
    sign = frame.value.map({"first": 1, "second": -1}).fillna(0)
    sides = pd.concat(
        [
            pd.DataFrame({"system": frame.system, "sign": sign}),
            pd.DataFrame({"system": frame.second, "sign": -sign}),
        ]
    )
    return {
        str(name): float(100 * total / comparisons)
        for name, total in sides.groupby("system").sign.sum().items()
    }


def wins(frame: Any) -> dict[str, float]:
    """By system, the share of its comparisons that it won, where a tie is half a win."""
    points = frame.value.map({"first": 1.0, "second": 0.0, "tie": 0.5})
    first = pd.DataFrame({"system": frame.system, "won": points})
    second = pd.DataFrame({"system": frame.second, "won": 1 - points})
    won = pd.concat([first, second]).groupby("system").won.mean()
    return {str(name): float(share) for name, share in won.items()}
