"""What people of a study share, in sentences, before it opens and while it is open."""

from annotation.models import Study
from annotation.rounds.sharing import first_met
from annotation.work.planned_sharing import sharing_of_study
from results.reading.sharing import Said, said_of_order, said_of_sharing


def said_of_study(study: Study, *, by_name: bool = False) -> list[Said]:
    """By the table of its team, or as planned for a crowd; none for a study that asks nobody.
    by_name: call members by the names that the team's page has, which are personal data."""
    sharing = None if study.is_finished_data else sharing_of_study(study)
    if sharing is None:
        return []
    seats = study.seats.all() if study.has_team else []
    names = {seat.pk: (by_name and seat.name) or f"Member {seat.number}" for seat in seats}
    order = first_met(study) if study.has_team else None
    return [
        *said_of_sharing(sharing, study.batches, names),
        *([said_of_order(order)] if order else []),
    ]
