"""The form of rounds and pay: one part for each round, and what holds for all of them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import ValidationError

from imports.study_file.parts import RoundPart
from set_up.steps.costs import Amounts, Asked, StudyCost, study_cost
from set_up.steps.forms import Keys, PlainForm, mapping
from set_up.steps.model_fields import COUNT


class RoundsForm(PlainForm):
    """Rounds, overlap and pay."""

    form = "rounds"
    most_rows = 12
    # One for all rounds.
    currency = forms.RegexField(label="Currency", regex=r"^[A-Z]{3}$", help_text="Such as USD")

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        super().__init__(standing, data)
        first: Keys = next(iter(standing.get("rounds", ())), {})
        self.initial["currency"] = mapping(first, "pay").get("currency", "USD")

    def suggested(self, standing: Keys) -> Keys:
        return {**standing, "rounds": standing.get("rounds") or [{"name": "main"}]}

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

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        currency = self.cleaned_data.get("currency", "USD")
        for round_ in record["rounds"]:
            round_["pay"] = {**mapping(round_, "pay"), "currency": currency}
        return record

    def cost(self, asked: Asked) -> StudyCost | None:
        """What was typed would cost; None where it does not fit yet."""
        keys = self.cleaned_settings() if self.is_bound and self.is_valid() else self.standing
        if self.is_bound and keys is self.standing:
            return None
        try:
            rounds = [RoundPart.model_validate(record) for record in keys.get("rounds", ())]
        except ValidationError:
            return None
        most = int(self.standing.get("max_batches_per_worker", 5))
        minimum = keys.get("minimum_hourly_pay")
        amounts = Amounts(
            asked.units,
            int(keys.get("overlap", 1)),
            most,
            None if minimum is None else forms.DecimalField().to_python(minimum),
            asked.of_one_source,
        )
        return study_cost(rounds, amounts)
