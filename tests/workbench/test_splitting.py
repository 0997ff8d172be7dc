"""A study's sources are split once, alike in systems and in what people say."""

import json
from collections import Counter

import pytest

from annotation.models import Change, Source, Study
from exports.bundle import source_lines, study_lines
from results.studies.registration import changes_since, register
from tests.workbench.rule import split_study
from workbench.models import Split
from workbench.splitting import NotSplit, SplitSource, drawn, split_sources

pytestmark = pytest.mark.django_db


def made(*, label: int, other: int, systems: int = 2) -> list[SplitSource]:
    labels = ["yes"] * label + ["no"] * other
    return [SplitSource(n, f"s{n}", f"sys{n % systems}", of) for n, of in enumerate(labels)]


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_labels_and_systems_are_sealed_in_their_share(share: float) -> None:
    sources = made(label=37, other=23)
    for seed in range(20):
        sealed = drawn(sources, seed=seed, share=share)
        for label in ("yes", "no"):
            of_label = [s for s in sources if s.label == label]
            assert abs(sum(s.pk in sealed for s in of_label) - share * len(of_label)) < 1
            for system in ("sys0", "sys1"):
                of_both = [s for s in of_label if s.system == system]
                assert abs(sum(s.pk in sealed for s in of_both) - share * len(of_both)) < 1


def test_the_seed_decides_and_not_the_order_of_the_rows() -> None:
    sources = made(label=30, other=30)
    sealed = drawn(sources, seed=1, share=0.5)
    assert drawn(list(reversed(sources)), seed=1, share=0.5) == sealed
    assert drawn(sources, seed=2, share=0.5) != sealed


def test_every_source_is_equally_often_sealed() -> None:
    sources = made(label=12, other=8)
    counts = Counter(pk for seed in range(600) for pk in drawn(sources, seed=seed, share=0.5))
    # Binomial with 600 trials of 1/2: a deviation of 62 is five standard errors.
    assert all(abs(counts[source.pk] - 300) < 62 for source in sources)


def test_a_split_stands_in_the_log_the_registration_and_the_bundle() -> None:
    study = split_study()
    before = register(study=study, by=None)
    split = split_sources(study=study, seed=7)
    sealed = Source.objects.filter(study=study, sealed=True)
    assert (split.development, split.sealed) == (12, 12) == (12, sealed.count())
    assert {stratum["label"] for stratum in split.strata} == {"high", "low"}
    change = Change.objects.get(action="study.split")
    assert change.detail["sealed"] == 12
    assert any("sha256" in line for line in changes_since(before))
    assert changes_since(register(study=study, by=None, reason="It is split now.")) == []
    bundled = json.loads("".join(study_lines(study)))
    assert bundled["split"]["sha256"] == split.digest
    assert bundled["looks"] == []
    lines = [json.loads(line) for line in source_lines(study)]
    assert {line["key"] for line in lines if line.get("sealed")} == {s.key for s in sealed}


def test_a_study_is_split_once() -> None:
    study = split_study()
    split_sources(study=study, seed=7)
    with pytest.raises(NotSplit, match="only once"):
        split_sources(study=study, seed=8)
    assert Split.objects.get().seed == 7


@pytest.mark.parametrize(
    ("sources", "high", "words"),
    [(18, 9, "about 18 sources; a split needs 20"), (24, 3, "'high' there are 3.*needs 4")],
)
def test_too_few_answers_or_too_few_of_a_label_are_refused_with_the_number_needed(
    sources: int, high: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = split_study(sources)
    labels = {
        source.pk: "high" if number < high else "low"
        for number, source in enumerate(study.sources.order_by("pk"))
    }
    monkeypatch.setattr("workbench.splitting._labels", lambda _study: labels)
    with pytest.raises(NotSplit, match=words):
        split_sources(study=study, seed=7)
    assert not Source.objects.filter(sealed=True).exists()


def test_a_study_without_answers_of_people_is_refused(study: Study) -> None:
    with pytest.raises(NotSplit, match="about 0 sources; a split needs 20"):
        split_sources(study=study, seed=7)
