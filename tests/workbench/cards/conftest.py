"""A study with a chat judge that was improved, tested on the sealed half, and has a card."""

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import Rater, Study
from estimates.report.cache import report_of
from estimates.report.live import as_shown
from exports.files import write_export
from judges.definitions.raters import rater_of
from judges.runs.plans.plan import plan_run
from tests.judges.endpoints import Opening, endpoint  # noqa: F401 (a fixture for all)
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour
from tests.workbench.rule import HALF, answer_all, by_the_rule, chat_judge, half_value, split_study
from workbench.cards.card import Card
from workbench.cards.gathering import cards_of
from workbench.looks import looks_of, take_look
from workbench.splitting import split_sources

Bundling = Callable[[Study], Path]


@pytest.fixture
def looked(endpoint: Opening) -> Study:  # noqa: F811
    """Split for three looks, of which one was taken, at `marker`; `theirs` was imported."""
    endpoint(Behaviour(answer=by_the_rule))
    study = split_study()
    split_sources(study=study, seed=7, planned_looks=3)
    judge = chat_judge(study, HALF)
    work_all(plan_run(study=study, judge=judge, subset=""))
    look = take_look(study=study, rater=rater_of(judge, study))
    assert look.run is not None
    work_all(look.run)
    assert looks_of(study)[0].figures
    rater = Rater.objects.create(study=study, name="theirs", kind="judge", origin="imported")
    answer_all(study, rater, half_value)
    return Study.objects.get(pk=study.pk)


@pytest.fixture
def bundled(tmp_path: Path) -> Bundling:
    """Writes the bundle of a study."""

    def write(study: Study) -> Path:
        folder = tmp_path / "bundles"
        return write_export(study=study, format_name="bundle", folder=folder)[0]

    return write


def cards_by_judge(study: Study) -> dict[str, Card]:
    cards = cards_of(study, as_shown(report_of(study)))
    return {str(card.judge): card for card in cards}
