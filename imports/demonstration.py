"""Demonstrations: studies in which made-up people count as people, and every page says so.

Only what makes the example studies marks a study as one, before anybody has answered, and nothing
unmarks it. No study file, form or import can: the mark of a study is not among its keys.
"""

from django.db import transaction

from annotation.models import Rater, Study, User, log_change


@transaction.atomic
def begin_demonstration(*, study: Study, by: User | None = None) -> None:
    """Have simulated raters of files count as people from now on, and every page say so.

    ValueError where somebody has answered or was invited: those may be real people.
    """
    if study.raters.exists() or study.participations.exists():
        raise ValueError(f"{study.slug} has raters and cannot become a demonstration")
    study.demonstration = True
    study.save(update_fields=["demonstration"])
    log_change(study=study, by=by, action="study.demonstration_begun")


def kind_in(study: Study, kind: str) -> str:
    """The kind of a rater of a file of answers, as it counts in this study."""
    simulated = study.demonstration and kind == Rater.Kind.SIMULATED.value
    return Rater.Kind.HUMAN.value if simulated else kind


def kind_outside(study: Study, kind: str, origin: str) -> str:
    """The kind of a rater in a file that leaves this study, where nobody knows of its mark."""
    imported = kind == Rater.Kind.HUMAN.value and origin == Rater.Origin.IMPORTED.value
    return Rater.Kind.SIMULATED.value if study.demonstration and imported else kind
