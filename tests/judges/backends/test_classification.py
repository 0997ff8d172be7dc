"""Classification: the numbers of the model itself, whatever the batch, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from judges.backends.classification import Classifier, entailment_of, labels_of, open_classifier
from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import UnusableModel, pinned

LONG = "The bridge was closed last year. " * 12
PAIRS = [
    ("The bridge was closed.", "Taxes rose."),
    (LONG, "Nobody was there."),
    ("Taxes rose in May.", "The bridge was closed last year, said the mayor of the town."),
    ("The bridge was closed.", "Taxes rose."),
]


def opened(folder: Path, **setting: Any) -> Classifier:
    return open_classifier(pinned(str(folder)), ModelSettings(device="cpu", **setting))


def plainly(folder: Path, pair: tuple[str, str], longest: int = 64) -> list[float]:
    """The same by transformers alone, one pair at a time."""
    import torch

    from tests.judges import tiny_models

    words, model = tiny_models.plain(folder, "AutoModelForSequenceClassification")
    read = words(*pair, truncation="only_first", max_length=longest, return_tensors="pt")
    with torch.no_grad():
        numbers: list[float] = model(**read).logits.softmax(-1)[0].tolist()
    return numbers


def test_probabilities_are_those_of_transformers_also_of_what_is_cut(
    classifier_folder: Path,
) -> None:
    found = opened(classifier_folder).scored(PAIRS)
    for pair, one in zip(PAIRS, found, strict=True):
        assert one.values == pytest.approx(plainly(classifier_folder, pair), abs=1e-6)
        assert one.top == max(range(3), key=one.values.__getitem__)


def test_the_first_text_is_cut_at_its_end_and_the_cut_is_counted(classifier_folder: Path) -> None:
    short, long, *_ = opened(classifier_folder).scored(PAIRS)
    assert short.cut == 0
    assert (long.tokens, long.cut > 0) == (64, True)
    words = opened(classifier_folder).loaded.tokenizer
    assert long.cut == len(words(*PAIRS[1], verbose=False)["input_ids"]) - 64


def test_a_second_text_that_leaves_no_room_is_refused(classifier_folder: Path) -> None:
    first, second = opened(classifier_folder).scored([("Taxes.", LONG), PAIRS[0]])
    assert "leaves no room for the first in the 64 tokens" in first.refused
    assert first.values == ()
    assert not second.refused


def test_a_pair_that_occurs_twice_is_computed_once(classifier_folder: Path) -> None:
    classifier = Classifier(opened(classifier_folder).loaded, ModelSettings())
    first, *_, last = classifier.scored(PAIRS)
    assert (classifier.cache.computed, first) == (3, last)


def test_the_size_of_batches_changes_no_probability(classifier_folder: Path) -> None:
    each = opened(classifier_folder, batch_tokens=64).scored(PAIRS)
    together = opened(classifier_folder, batch_tokens=4096).scored(PAIRS)
    for one, other in zip(each, together, strict=True):
        assert one.values == pytest.approx(other.values, abs=1e-6)


def test_a_longest_input_may_be_asked_for(classifier_folder: Path) -> None:
    found = opened(classifier_folder, max_tokens=32).scored([PAIRS[1]])[0]
    assert found.tokens == 32
    assert found.values == pytest.approx(plainly(classifier_folder, PAIRS[1], 32), abs=1e-6)


def test_a_model_is_loaded_once_per_process(classifier_folder: Path) -> None:
    assert opened(classifier_folder) is opened(classifier_folder)


@pytest.mark.parametrize("dtype", ["bfloat16", "autocast"])
def test_in_half_precision_the_numbers_are_near(classifier_folder: Path, dtype: Any) -> None:
    found = opened(classifier_folder, dtype=dtype).scored(PAIRS)
    for pair, one in zip(PAIRS, found, strict=True):
        assert one.values == pytest.approx(plainly(classifier_folder, pair), abs=0.15)


def test_the_order_of_labels_is_that_of_the_config(tmp_path: Path) -> None:
    from tests.judges import tiny_models

    model = pinned(str(tiny_models.classifier(tmp_path, labels=("ENTAILMENT", "not_entailment"))))
    assert labels_of(model) == ("ENTAILMENT", "not_entailment")
    assert entailment_of(model) == 0


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (("LABEL_0", "LABEL_1"), r"does not say what its labels mean \(id2label: none\)"),
        (("LABEL_0", "LABEL_1", "LABEL_2"), r"what its labels mean \(id2label: LABEL_0, LABEL_1, "),
        (("good", "bad"), r"has no label for entailment \(id2label: good, bad\)"),
    ],
)
def test_a_model_whose_labels_say_nothing_of_entailment_is_refused(
    tmp_path: Path, labels: tuple[str, ...], reason: str
) -> None:
    from tests.judges import tiny_models

    with pytest.raises(UnusableModel, match=reason):
        entailment_of(pinned(str(tiny_models.classifier(tmp_path, labels=labels))))


def test_a_model_without_a_trained_head_is_refused(encoder_folder: Path) -> None:
    with pytest.raises(
        UnusableModel, match="lacks weights that AutoModelForSequenceClassification needs"
    ):
        opened(encoder_folder)


def test_a_device_that_is_not_there_is_refused(classifier_folder: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has cuda")
    with pytest.raises(UnusableModel, match="device: this machine has no cuda"):
        open_classifier(pinned(str(classifier_folder)), ModelSettings(device="cuda"))
