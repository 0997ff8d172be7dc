"""The form of rounds and pay: one part for each round, and what holds for all of them."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import ValidationError

from annotation.models import Study
from annotation.work.planned_sharing import (
    Rules,
    Units,
    planned_sharing,
    units_asked,
)
from imports.study_file.parts import RoundPart
from results.reading.sharing import Said, said_of_order, said_of_sharing
from set_up.steps.costs import Amounts, Asked, StudyCost, study_cost, units_asked_about
from set_up.steps.forms import Keys, PlainForm, mapping
from set_up.steps.model_fields import COUNT

USUAL_MEMBERS = 3
EVERYTHING, TEAM = "everything", Study.Batches.TEAM.value
# The button that puts a calibration before the first round, and its number of sources at first.
CALIBRATE, CALIBRATED = "calibrate", 10
_OF_ROUND = re.compile(r"r\d{1,2}-.+")


class RoundsForm(PlainForm):
    """Rounds, overlap and pay."""

    form = "rounds"
    most_rows = 12
    # Of a team: whether the answers per unit are as many as there are members.
    share = forms.ChoiceField(
        label="Each member answers",
        choices=[
            (EVERYTHING, "Everything"),
            ("share", "A share: each unit gets as many answers as you say"),
        ],
        required=False,
    )
    # One for all rounds.
    currency = forms.RegexField(label="Currency", regex=r"^[A-Z]{3}$", help_text="Such as USD")

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        if data is not None and data.get("go") == CALIBRATE:
            data = _with_calibration(data)
        super().__init__(standing, data)
        members = standing.get("team_members") or 0
        everything = not members or standing.get("overlap", 1) >= members
        self.initial["share"] = EVERYTHING if everything else "share"
        first: Keys = next(iter(standing.get("rounds", ())), {})
        self.initial["currency"] = mapping(first, "pay").get("currency", "USD")

    def suggested(self, standing: Keys) -> Keys:
        return {
            **standing,
            "rounds": standing.get("rounds") or [{"name": "main"}],
            "team_members": standing.get("team_members") or USUAL_MEMBERS,
        }

    def name_of(self, *path: str) -> str:
        if path[:1] != ("rounds",):
            return super().name_of(*path)
        _rounds, *within = path
        if within == [COUNT]:
            return "rounds"
        if len(within) < 2:
            return ".".join(["round", *within])
        return f"r{within[0]}-{'pass_' if within[-1] == 'pass' else within[-1]}"

    def new_row(self, rows: Sequence[Keys]) -> dict[str, Any]:
        name = f"round {len(rows) + 1}"
        return {"name": name, "batch": {"normal": 5}, "expected_minutes": 10}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("batches") == TEAM and cleaned.get("team_members") == 0:
            self.add_error("team_members", "A team has at least one member.")
        return cleaned

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        if record.get("batches") != TEAM:
            record["team_members"] = self.standing.get("team_members", 0)
        elif self.cleaned_data.get("share") == EVERYTHING and record.get("team_members"):
            record["overlap"] = record["team_members"]
        currency = self.cleaned_data.get("currency", "USD")
        for round_ in record["rounds"]:
            round_["pay"] = {**mapping(round_, "pay"), "currency": currency}
        return record

    def forecast(self, study: Study) -> dict[str, Any]:
        """What was typed would cost, and what people would share; both empty where it does not fit
        yet."""
        typed = self._typed()
        if typed is None:
            return {"cost": None}
        keys, rounds = typed
        return {
            "cost": _cost(keys, rounds, units_asked_about(study)),
            "said": _said(keys, rounds, units_asked(study)),
            "of_team": keys.get("batches") == TEAM,
        }

    def cost(self, asked: Asked) -> StudyCost | None:
        """What was typed would cost; None where it does not fit yet."""
        typed = self._typed()
        return None if typed is None else _cost(*typed, asked)

    def _typed(self) -> tuple[Keys, list[RoundPart]] | None:
        """The keys that were typed, or those of the study, and the rounds in them."""
        keys = self.cleaned_settings() if self.is_bound and self.is_valid() else self.standing
        if self.is_bound and keys is self.standing:
            return None
        try:
            return keys, [RoundPart.model_validate(record) for record in keys.get("rounds", ())]
        except ValidationError:
            return None


def _cost(keys: Keys, rounds: Sequence[RoundPart], asked: Asked) -> StudyCost:
    minimum = keys.get("minimum_hourly_pay")
    is_team = keys.get("batches") == TEAM
    amounts = Amounts(
        asked.units,
        int(keys.get("overlap", 1)),
        _most_batches(keys),
        None if minimum is None else forms.DecimalField().to_python(minimum),
        # Members of a team meet all units of a source.
        1 if is_team else asked.of_one_source,
        members=int(keys.get("team_members") or 0) if is_team else 0,
        per_source=asked.units / max(asked.sources, 1),
    )
    return study_cost(rounds, amounts)


def _most_batches(keys: Keys) -> int:
    return int(keys.get("max_batches_per_worker", 5))


def _said(keys: Keys, rounds: Sequence[RoundPart], units: Units) -> list[Said]:
    """What people would share in the last round that counts."""
    asking = [
        part
        for part in rounds
        if part.counts and part.batch.normal and not (part.shows_answers or part.calibration)
    ]
    if not asking:
        return []
    rules = Rules(
        batches=keys.get("batches") or Study.Batches.COMPOSED,
        overlap=int(keys.get("overlap", 1)),
        per_batch=asking[-1].batch.normal,
        most=asking[-1].max_batches or _most_batches(keys),
        members=int(keys.get("team_members") or 0),
        calibration=sum(part.calibration for part in rounds if part.counts),
    )
    planned = planned_sharing(units, rules)
    if planned is None:
        return []
    said = said_of_sharing(planned.sharing, rules.batches)
    return said if planned.order is None else [*said, said_of_order(planned.order)]


def _with_calibration(data: QueryDict) -> QueryDict:
    """What was typed, with a round before the first: like it, but a calibration without rules."""
    made = data.copy()
    for name in [name for name in data if _OF_ROUND.fullmatch(name)]:
        number, key = name[1:].split("-", 1)
        made.setlist(f"r{int(number) + 1}-{key}", data.getlist(name))
    made["r0-name"], made["r0-calibration"] = "calibration", str(CALIBRATED)
    for key in ("pass_", "keep", "max_batches"):
        made.pop(f"r0-{key}", None)
    number = data.get("rounds", "")
    made["rounds"] = str(int(number[:3]) + 1 if number.isascii() and number.isdigit() else 1)
    return made
