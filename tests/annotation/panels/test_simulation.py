"""A panel of people runs the published study, pilot and main round, to the end."""

import pytest
from django.utils import timezone

from tests.annotation import panel as panels


@pytest.mark.parametrize(
    ("seed", "every"), [(2, 2), pytest.param(1, 1, marks=pytest.mark.slow)], ids=["60", "120"]
)
@pytest.mark.django_db
def test_a_panel_ends_as_its_own_books_say(seed: int, every: int) -> None:
    panel = panels.gather(seed, now=timezone.now(), every=every)
    panel.run()
    assert panels.faults(panel) == []
    found = panels.summary(panel)
    assert found["batches"]["pilot"] == 120 // every
    # What makes it hard did happen.
    assert {"qualified", "not_qualified", "screened_out", "removed", "left"} <= set(found["states"])
    assert {"completion", "screenout", "return"} == set(found["codes"])
    assert {"late", "stale", "vanished"} <= set(found["seen"])
    assert found["surplus"] > 0
