"""The form of rounds and pay: one part for each round, and what holds for all of them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import ValidationError

from desk.set_up.steps.costs import Amounts, StudyCost, study_cost
from desk.set_up.steps.forms import Keys, KeysForm, mapping
from imports.study_file.parts import RoundPart

MOST_ROUNDS = 12
COUNT = "rounds"
_MONEY: dict[str, Any] = {"min_value": 0, "max_digits": 8, "decimal_places": 2}
_NEW: dict[str, Any] = {
    "counts": "on",
    "normal": 5,
    "positive": 0,
    "negative": 0,
    "expected_minutes": 10,
    "min_controls": 4,
    "failing": "screen_out",
    "base": "0",
    "bonus": "0",
}


class RoundFields(forms.Form):
    """One round."""

    use_required_attribute = False
    name = forms.CharField(label="Name", max_length=40)
    normal = forms.IntegerField(label="Units per batch", min_value=0, max_value=1000)
    positive = forms.IntegerField(label="Positive controls per batch", min_value=0, max_value=1000)
    negative = forms.IntegerField(label="Negative controls per batch", min_value=0, max_value=1000)
    expected_minutes = forms.IntegerField(
        label="Minutes that a batch takes", min_value=1, max_value=1440, required=False
    )
    base = forms.DecimalField(label="Pay for a batch", **_MONEY)
    bonus = forms.DecimalField(label="Bonus for a batch", **_MONEY)
    counts = forms.BooleanField(label="Its answers count in the results", required=False)
    shows_answers = forms.BooleanField(
        label="Training: the right answer follows each question", required=False
    )
    pass_ = forms.FloatField(
        label="To pass, % of controls right",
        min_value=0,
        max_value=100,
        required=False,
        help_text="For the next round; in the last one only for the bonus.",
    )
    keep = forms.FloatField(
        label="To stay in, % of controls right",
        min_value=0,
        max_value=100,
        required=False,
    )
    min_controls = forms.IntegerField(
        label="Controls before that rule is applied", min_value=1, max_value=1000
    )
    failing = forms.ChoiceField(
        label="Who fails",
        choices=[("screen_out", "is screened out with the panel's code"), ("end", "has ended")],
    )
    max_batches = forms.IntegerField(
        label="Batches of it that one worker does at most",
        min_value=1,
        max_value=100_000,
        required=False,
    )

    @property
    def main(self) -> list[forms.BoundField]:
        """What every round needs."""
        names = ("normal", "positive", "negative", "expected_minutes", "base", "bonus")
        return [self["name"], *(self[name] for name in names)]

    @property
    def rules(self) -> list[forms.BoundField]:
        """Who goes on, and how far."""
        return [self[n] for n in ("pass_", "keep", "min_controls", "failing", "max_batches")]

    @property
    def kinds(self) -> list[forms.BoundField]:
        """What the round is for."""
        return [self["counts"], self["shows_answers"]]

    def typed_round(self, currency: str) -> dict[str, Any]:
        """The round as the study file has it; only after `is_valid()`."""
        data = self.cleaned_data
        same = ("name", "counts", "shows_answers", "max_batches", "expected_minutes")
        return {
            **{name: data[name] for name in (*same, "failing", "min_controls")},
            "batch": {role: data[role] for role in ("normal", "positive", "negative")},
            "pass": _share(data["pass_"]),
            "keep": _share(data["keep"]),
            "pay": {
                "base": str(data["base"]),
                "bonus": str(data["bonus"]),
                "currency": currency,
            },
        }


def _share(percent: float | None) -> float | None:
    return None if percent is None else round(percent / 100, 6)


def _percent(share: float | None) -> float | None:
    return None if share is None else round(share * 100, 4)


def _fields_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a round of the file, with what it leaves out."""
    part = RoundPart.model_validate(record)
    same = ("name", "counts", "shows_answers", "max_batches", "expected_minutes")
    return {
        **{name: getattr(part, name) for name in (*same, "failing", "min_controls")},
        **part.batch.model_dump(),
        "pass_": _percent(part.pass_),
        "keep": _percent(part.keep),
        "base": part.pay.base,
        "bonus": part.pay.bonus,
    }


class RoundsForm(KeysForm):
    """Rounds, overlap and pay."""

    names = ("rounds", "overlap", "screenout_pay", "minimum_hourly_pay")
    overlap = forms.IntegerField(
        label="Answers per unit", min_value=1, max_value=1000, help_text="Of different people."
    )
    currency = forms.RegexField(label="Currency", regex=r"^[A-Z]{3}$", help_text="Such as USD.")
    screenout_pay = forms.DecimalField(label="Pay for a screen-out", **_MONEY)
    minimum_hourly_pay = forms.DecimalField(
        label="Least pay for an hour",
        required=False,
        help_text="With less than this a warning appears.",
        **_MONEY,
    )

    def __init__(self, standing: Keys, data: QueryDict | None = None) -> None:
        typed = None if data is None else _with_other_rounds(data)
        super().__init__(standing, typed)
        self.rounds = self._round_forms(typed)

    def _round_forms(self, typed: QueryDict | None) -> list[RoundFields]:
        if typed is not None:
            return [RoundFields(typed, prefix=f"r{n}") for n in range(_count(typed))]
        records = self.standing.get("rounds") or [{"name": "main"}]
        return [
            RoundFields(prefix=f"r{n}", initial=_fields_of(record))
            for n, record in enumerate(records)
        ]

    def typed_before(self, standing: Keys) -> dict[str, Any]:
        first: Keys = next(iter(standing.get("rounds", ())), {})
        return {
            "overlap": standing.get("overlap", 1),
            "currency": mapping(first, "pay").get("currency", "USD"),
            "screenout_pay": standing.get("screenout_pay", "0"),
            "minimum_hourly_pay": standing.get("minimum_hourly_pay"),
        }

    def is_valid(self) -> bool:
        # Every part, so that all that is wrong is said at once.
        return all([super().is_valid(), *(part.is_valid() for part in self.rounds)])

    def typed_keys(self) -> dict[str, Any]:
        data = self.cleaned_data
        minimum = data["minimum_hourly_pay"]
        return {
            "rounds": [part.typed_round(data["currency"]) for part in self.rounds],
            "overlap": data["overlap"],
            "screenout_pay": str(data["screenout_pay"]),
            "minimum_hourly_pay": None if minimum is None else str(minimum),
        }

    def cost(self, *, units: int) -> StudyCost | None:
        """What was typed would cost; None where it does not fit yet."""
        keys = self.typed_keys() if self.is_bound and self.is_valid() else self.standing
        if self.is_bound and keys is self.standing:
            return None
        try:
            rounds = [RoundPart.model_validate(record) for record in keys.get("rounds", ())]
        except ValidationError:
            return None
        most = int(self.standing.get("max_batches_per_worker", 5))
        minimum = keys.get("minimum_hourly_pay")
        amounts = Amounts(
            units,
            int(keys.get("overlap", 1)),
            most,
            None if minimum is None else forms.DecimalField().to_python(minimum),
        )
        return study_cost(rounds, amounts)


def _count(data: QueryDict) -> int:
    number = data.get(COUNT, "")
    return max(1, min(MOST_ROUNDS, int(number[:3]))) if number.isdecimal() else 1


def _with_other_rounds(data: QueryDict) -> QueryDict:
    """What was posted, with a round more or less where a button asked for that."""
    go, count = data.get("go", ""), _count(data)
    rounds = [_posted(data, n) for n in range(count)]
    if go == "add" and count < MOST_ROUNDS:
        rounds.append({**{k: str(v) for k, v in _NEW.items()}, "name": f"round {count + 1}"})
    elif go.startswith("remove-") and go[7:].isdecimal() and count > 1:
        rounds = [fields for n, fields in enumerate(rounds) if n != int(go[7:])]
    typed = data.copy()
    for name in [name for name in typed if name.startswith("r") and "-" in name]:
        del typed[name]
    for n, fields in enumerate(rounds):
        for name, value in fields.items():
            typed[f"r{n}-{name}"] = value
    typed[COUNT] = str(len(rounds))
    return typed


def _posted(data: QueryDict, number: int) -> dict[str, str]:
    prefix = f"r{number}-"
    return {
        name.removeprefix(prefix): value
        for name, value in data.items()
        if name.startswith(prefix) and isinstance(value, str)
    }
