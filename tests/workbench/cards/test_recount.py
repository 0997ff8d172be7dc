"""Every number of a bundle's cards comes out of its data again, or is said not to."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from annotation.models import Study
from estimates.data.bundles.files import BundleError
from tests.workbench.cards.conftest import Bundling, cards_by_judge
from tests.workbench.cards.forged import forge
from workbench.cards.card import Part
from workbench.cards.recount import check_bundle
from workbench.looks import LookRefused, publish_sealed, take_look

pytestmark = pytest.mark.django_db


def report(path: Path, *words: str) -> str:
    out = StringIO()
    call_command("report", str(path), *words, stdout=out)
    return out.getvalue()


def test_numbers_are_recomputed_without_a_database_but_those_of_looks(
    looked: Study, bundled: Bundling, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path, cards = bundled(looked), cards_by_judge(looked)
    with django_assert_num_queries(0):
        checked = {str(each.card.judge): each for each in check_bundle(path)}
    assert checked.keys() == cards.keys() == {"marker@1", "theirs@1"}
    for name, each in checked.items():
        assert each.wrong == []
        assert each.card == cards[name]
        assert [*each.stated, *each.recomputed] == list(cards[name].figures)
    assert [figure.part for figure in checked["marker@1"].stated] == [Part.SEALED]
    assert checked["theirs@1"].stated == []
    said = report(path)
    assert "Closeness to people (the answers behind looks are not published)" in said
    assert "1 of 3 looks at the sealed half used" in said
    assert json.loads(report(path, "--json"))["cards"][0]["stated"] == ["Closeness to people"]


def test_published_answers_make_looks_computable_and_end_them(
    looked: Study, bundled: Bundling
) -> None:
    before = report(bundled(looked), "--csv")
    publish_sealed(study=looked)
    study = Study.objects.get(pk=looked.pk)
    path = bundled(study)
    assert report(path, "--csv") == before
    checked = check_bundle(path)
    assert [(each.stated, each.wrong) for each in checked] == [([], []), ([], [])]
    (figure,) = (f for f in checked[0].recomputed if f.part is Part.SEALED)
    assert figure.value == looked.looks.get().figures[0]["value"]
    assert figure.low == pytest.approx(looked.looks.get().figures[0]["low"])
    assert "there will be no others" in study.caution
    with pytest.raises(LookRefused, match="no more looks"):
        take_look(study=study, rater=study.raters.get(name="theirs"))


@pytest.mark.parametrize(
    ("ending", "change", "said"),
    [
        (".json", ('"value": 48.0', '"value": 480.0'), "480 in the card, 48 by the data"),
        ("marker@1.json", ('"name": "usd"', '"name": "euro"'), "nothing by the data"),
        ("marker@1.json", ('"prompt": "', '"prompt": "Not '), "SHA-256 of the prompt"),
        ("marker@1.json", ("1 of 3 looks", "1 of 1 looks"), "beside its figures"),
        ("marker@1.html", (">12</td>", ">120</td>"), "marker@1.html is not what the card says"),
    ],
)
def test_a_forged_number_is_named_and_the_status_is_1(
    looked: Study, bundled: Bundling, ending: str, change: tuple[str, str], said: str
) -> None:
    path = bundled(looked)
    forge(path, ending, *change)
    with pytest.raises(CommandError, match=said) as raised:
        report(path)
    assert raised.value.returncode == 1


def test_a_card_that_is_none_is_refused_with_its_place(looked: Study, bundled: Bundling) -> None:
    path = bundled(looked)
    forge(path, "theirs@1.json", '"judge"', '"jury"')
    with pytest.raises(BundleError, match=r"cards/loop\.slider\.theirs@1\.json"):
        check_bundle(path)


def test_nothing_is_published_before_a_look_has_figures(looked: Study) -> None:
    looked.looks.update(figures=[])
    looked.annotations.filter(question__unit__source__sealed=True, rater__name="marker").delete()
    with pytest.raises(LookRefused, match="nothing to publish"):
        publish_sealed(study=looked)
