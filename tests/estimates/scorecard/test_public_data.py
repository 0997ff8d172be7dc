"""Scorecards of public data, computed once more from the files by other programs and by loops."""

import gzip
import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from django.core.management import call_command
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from agreement.bootstrap.scales import difference_bounds
from annotation.models import Study
from estimates.data.options import Options
from tests.results.estimates import estimate_study
from tests.results.scorecards import Card

Answers = dict[str, dict[str, Any]]
CLOSE: dict[str, Any] = {"abs": 1e-9, "rel": 0}


def majority(values: list[Any]) -> Any:
    (value, count), *_ = Counter(values).most_common()
    return value if 2 * count > len(values) else None


def read(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def by_unit(people: Answers) -> dict[str, list[Any]]:
    units = dict.fromkeys(unit for own in people.values() for unit in own)
    return {unit: [own[unit] for own in people.values() if unit in own] for unit in units}


@pytest.fixture(scope="module")
def lgbteen(shared_data: Path) -> tuple[Answers, Answers]:
    people, judges = (
        read(shared_data / "alt-test" / f"lgbteen_{kind}.json.gz") for kind in ("human", "llm")
    )
    units = sorted(judges["gpt-4o"])[::3]  # a third of them, which takes a third of the time

    def some(answers: Answers, *names: str) -> Answers:
        return {
            name: {unit: answers[name][unit] for unit in units if unit in answers[name]}
            for name in names
        }

    return some(people, *people), some(judges, "gpt-4o", "mistral-v03", "gemini_pro")


@pytest.fixture
def card(db: None, lgbteen: tuple[Answers, Answers], tmp_path: Path) -> Card:
    files = []
    for kind, answers in zip(("human", "llm"), lgbteen, strict=True):
        files.append(tmp_path / f"{kind}.json")
        files[-1].write_text(json.dumps(answers))
    options = {"slug": "s", "verbosity": 0, "level": "nominal"}
    call_command("import_study", "raters", *map(str, files), **options)
    return Card(estimate_study(Study.objects.get(), Options(resamples=20)).rows)


def test_labels_gap_and_judges_side_by_side(card: Card, lgbteen: tuple[Answers, Answers]) -> None:
    check_labels(card, *lgbteen)
    check_gap(card, *lgbteen)
    check_judges(card, *lgbteen)


def check_labels(card: Card, people: Answers, judges: Answers) -> None:
    """Per label as scikit-learn has them, with Wilson's intervals of statsmodels."""
    agreed = {unit: majority(values) for unit, values in by_unit(people).items()}
    units = [unit for unit, value in agreed.items() if value is not None]
    truth = [agreed[unit] for unit in units]
    for judge, own in judges.items():
        said = [own[unit] for unit in units]
        labels = sorted({*truth, *said})
        counts = confusion_matrix(truth, said, labels=labels)
        for (first, second), count in np.ndenumerate(counts):
            group = {"people": labels[first], "judge": labels[second]}
            row = card.row("confusion", f"humans~{judge}", **group) if count else None
            assert (row.estimate.value if row else 0) == count
        precision, recall, _, support = precision_recall_fscore_support(
            truth, said, labels=labels, zero_division=np.nan
        )
        for at, label in enumerate(labels):
            tpr = card.estimate("true_positive_rate", f"humans~{judge}", label=label)
            if support[at]:
                assert tpr.value == pytest.approx(recall[at], **CLOSE)
                low, high = proportion_confint(counts[at, at], support[at], method="wilson")
                assert (tpr.low, tpr.high) == pytest.approx((low, high), **CLOSE)
            else:
                assert tpr.undefined
            others = len(truth) - support[at]
            passed = counts[:, at].sum() - counts[at, at]
            tnr = card.estimate("true_negative_rate", f"humans~{judge}", label=label)
            assert tnr.value == pytest.approx(1 - passed / others, **CLOSE)
            if counts[:, at].sum():
                of_label = card.estimate("precision", f"humans~{judge}", label=label)
                assert of_label.value == pytest.approx(precision[at], **CLOSE)
            bias = card.estimate("rate_bias", f"humans~{judge}", label=label)
            share = (counts[:, at].sum() - support[at]) / len(truth)
            assert bias.value == pytest.approx(share, **CLOSE)


def check_gap(card: Card, people: Answers, judges: Answers) -> None:
    several = {unit: values for unit, values in by_unit(people).items() if len(values) > 1}
    among = fmean(fmean(a == b for a, b in combinations(values, 2)) for values in several.values())
    for judge, own in judges.items():
        beside = fmean(fmean(own[u] == value for value in of) for u, of in several.items())
        gap = card.estimate("agreement_gap", f"humans~{judge}")
        assert gap.value == pytest.approx(among - beside, **CLOSE)
        assert gap.n_units == len(several)


def check_judges(card: Card, people: Answers, judges: Answers) -> None:
    """statsmodels' regression on a constant, the bound away from 0 drawn in; and its Holm."""
    close = {
        judge: {u: fmean(own[u] == value for value in of) for u, of in by_unit(people).items()}
        for judge, own in judges.items()
    }
    pairs, p_values = list(combinations(sorted(judges), 2)), []
    for first, second in pairs:
        apart = np.array([close[first][unit] - close[second][unit] for unit in close[first]])
        fit = sm.OLS(apart, np.ones(len(apart))).fit()
        found = card.estimate("judge_difference", f"humans~{first}", other_judge=second)
        assert found.value == pytest.approx(fit.params[0], **CLOSE)
        low, high = fit.conf_int()[0]
        within = difference_bounds(fit.params[0], (high - low) / 2, 1)
        assert (found.low, found.high) == pytest.approx(within, **CLOSE)
        inner = (low, found.low) if fit.params[0] > 0 else (high, found.high)
        assert inner[1] == pytest.approx(inner[0], **CLOSE)
        p_values.append(fit.pvalues[0])
    for (first, second), p in zip(pairs, multipletests(p_values, method="holm")[1], strict=True):
        found = card.estimate("judge_difference_p", f"humans~{first}", other_judge=second)
        assert found.value == pytest.approx(p, **CLOSE)


def test_probabilities_of_a_judge(db: None, shared_data: Path) -> None:
    """UniEval on summaries: the score beside the share of sentences with a majority of yes."""
    folder = shared_data / "qags-cnndm"
    files = [folder / "mturk_cnndm.jsonl.gz", folder / "unieval_qags_cnndm_result.json.gz"]
    call_command("import_study", "qags", *map(str, files), slug="s", verbosity=0)
    card = Card(estimate_study(Study.objects.get(), Options(resamples=20)).rows)
    lines = gzip.decompress(files[0].read_bytes()).decode().splitlines()
    shares = [
        fmean(
            majority([vote["response"] for vote in sentence["responses"]]) == "yes"
            for sentence in json.loads(line)["summary_sentences"]
        )
        for line in lines
    ]
    said = [record["predict_scores"]["consistency"] for record in read(files[1])]

    brier = card.estimate("brier_score", "humans~unieval")
    squares = [(score - share) ** 2 for score, share in zip(said, shares, strict=True)]
    assert brier.value == pytest.approx(fmean(squares), **CLOSE)
    bins = np.minimum((np.array(said) * 10).astype(int), 9)
    error = sum(
        abs(np.mean(np.array(said)[bins == at]) - np.mean(np.array(shares)[bins == at]))
        * np.mean(bins == at)
        for at in np.unique(bins)
    )
    found = card.estimate("calibration_error", "humans~unieval")
    assert found.value == pytest.approx(error, **CLOSE)
