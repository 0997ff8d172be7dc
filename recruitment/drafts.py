"""A study as it is proposed to Prolific: every field from the study's own keys, then as edited."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any

from django.db.models import Sum
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from annotation.models import Place, Round, Study, Unit
from annotation.panels.contract import Recruitment, VisitOutcome
from annotation.panels.prolific_api.money import minor_units, whole_units
from annotation.panels.registry import missing_for_panel
from annotation.work.batch_times import batch_times

# So many measured batches tell more than what the study file declares.
ENOUGH_TIMES = 5
DEVICES = ("desktop", "tablet", "mobile")
RETURN_REASON = "Nothing was submitted in the study"


@dataclass(frozen=True)
class Proposal:
    """The fields as the study gives them. minutes: of the first session, training included.

    measured: how many batches the minutes were measured on; 0 where they were declared.
    batches: how many batches the open units make.
    """

    name: str
    description: str
    minutes: int
    measured: int
    reward_minor: int
    currency: str
    batches: int
    most_per_worker: int

    @property
    def places(self) -> int:
        """A place for each batch, as if everybody did one."""
        return max(self.batches, 1)


def proposal(study: Study) -> Proposal:
    """What the study's own keys say. Five queries."""
    rounds = list(study.rounds.order_by("position"))
    first = next((round_ for round_ in rounds if not round_.shows_answers), None)
    main = next((round_ for round_ in reversed(rounds) if round_.counts), first)
    minutes, measured = _minutes(study, rounds, first)
    return Proposal(
        name=study.title,
        description=Truncator(" ".join(study.instructions.split())).chars(1_000),
        minutes=minutes,
        measured=measured,
        reward_minor=minor_units(first.base_pay, first.currency) if first else 0,
        currency=first.currency if first else "",
        batches=_open_batches(main) if main else 0,
        most_per_worker=main.batch_limit if main else 1,
    )


def _minutes(study: Study, rounds: list[Round], first: Round | None) -> tuple[int, int]:
    """Minutes of the first session, and on how many batches they were measured."""
    measured = [time.seconds / 60 for time in batch_times(study) if time.measured]
    if len(measured) >= ENOUGH_TIMES:
        return max(ceil(median(measured)), 1), len(measured)
    training = [round_ for round_ in rounds if round_.shows_answers]
    session = [*training, *([first] if first else [])]
    return max(sum(round_.expected_minutes or 0 for round_ in session), 1), 0


def _open_batches(round_: Round) -> int:
    """How many batches of the round the answers that are still wanted make."""
    places = Place.objects.filter(round=round_, role=Unit.Role.NORMAL, room__gt=0)
    room = places.aggregate(room=Sum("room"))["room"] or 0
    return ceil(room / max(round_.normal_per_batch, 1))


def obstacles(study: Study) -> list[str]:
    """What has to be put right before the study can be made at Prolific."""
    missing = [f"the study file names no {key}" for key in missing_for_panel(study)]
    if study.recruitment.get("panel") != "prolific":
        missing.append("the study file does not recruit from prolific (recruitment: panel)")
    codes = [code for code in Recruitment.of(study.recruitment).codes.values() if code]
    if len(set(codes)) < len(codes):
        missing.append("two of the codes are equal, and Prolific tells outcomes apart by them")
    if not any(not round_.shows_answers for round_ in study.rounds.all()):
        missing.append("the study has no round that pays")
    return missing


def body_of(study: Study, *, fields: Mapping[str, Any], link: str, key: str) -> dict[str, Any]:
    """What is sent. fields: as the form gives them. key: stands in the internal name."""
    return {
        "name": fields["name"],
        "internal_name": f"{study.slug} {key}",
        "description": fields["description"],
        "external_study_url": link,
        "is_external_study_url_secure": fields["signed"],
        "prolific_id_option": "url_parameters",
        "completion_codes": completion_codes(study, slots=fields["places"]),
        "estimated_completion_time": fields["minutes"],
        "reward": fields["reward_minor"],
        "total_available_places": fields["places"],
        "device_compatibility": list(fields["devices"]),
        "peripheral_requirements": [],
        "filters": [],
        "submissions_config": {"max_submissions_per_participant": 1},
    }


def completion_codes(study: Study, *, slots: int) -> list[dict[str, Any]]:
    """The study's codes and what each does at Prolific. Nothing is approved without a person; a
    paid screen-out pays itself, at most `slots` times."""
    recruitment = Recruitment.of(study.recruitment)
    actions = {
        VisitOutcome.COMPLETED: ("COMPLETED", {"action": "MANUALLY_REVIEW"}),
        VisitOutcome.SCREENED_OUT: ("FIXED_SCREENOUT", _screen_out(study, slots)),
        VisitOutcome.RETURNED: (
            "OTHER",
            {"action": "REQUEST_RETURN", "return_reason": RETURN_REASON},
        ),
    }
    return [
        {"code": code, "code_type": kind, "actor": "participant", "actions": [action]}
        for outcome, (kind, action) in actions.items()
        if (code := recruitment.codes.get(outcome))
    ]


def _screen_out(study: Study, slots: int) -> dict[str, Any]:
    round_ = study.rounds.first()
    if not study.screenout_pay or round_ is None:
        return {"action": "REQUEST_RETURN", "return_reason": "The check was not passed"}
    pay = minor_units(study.screenout_pay, round_.currency)
    return {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": pay, "slots": slots}


def codes_in_words(body: Mapping[str, Any], currency: str) -> list[tuple[str, str]]:
    """Each code of a draft with what it does at Prolific."""
    return [
        (code["code"], _in_words(code["actions"][0], currency)) for code in body["completion_codes"]
    ]


def _in_words(action: Mapping[str, Any], currency: str) -> str:
    if action["action"] == "MANUALLY_REVIEW":
        return _("work was submitted: it waits for your approval")
    if action["action"] == "REQUEST_RETURN":
        return _("asks to return the submission: %(why)s") % {"why": action["return_reason"]}
    pay = whole_units(action["fixed_screen_out_reward"], currency)
    return _("screened out: Prolific pays %(pay)s %(unit)s at once, at most %(n)d times") % {
        "pay": pay,
        "unit": currency,
        "n": action["slots"],
    }
