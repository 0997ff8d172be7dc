"""Judges as raters of a study, under a name that nobody else has there."""

from annotation.models import Rater, Study
from judges.definitions.versions import BadJudge
from judges.models import Judge


class NameTaken(BadJudge):
    """Another rater of the study has the judge's name."""

    def __init__(self, name: str) -> None:
        reason = f"the study has an imported or human rater {name!r} already"
        super().__init__(f"name: {reason}; give the judge another name")


def rater_of(judge: Judge, study: Study) -> Rater:
    """The judge as a rater of a study, its own one or a built-in one."""
    if judge.study_id not in (None, study.pk):
        raise BadJudge(f"{judge}: is a judge of another study")
    rater, _ = Rater.objects.get_or_create(
        study=study,
        name=judge.name,
        version=judge.version,
        defaults={"kind": Rater.Kind.JUDGE, "family": judge.family},
    )
    if rater.kind != Rater.Kind.JUDGE or rater.origin != Rater.Origin.HERE:
        raise NameTaken(judge.name)
    return rater
