import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.texts.sentences import split


@pytest.mark.parametrize(
    "sentences",
    [
        ("The claim is false.", "It was never paid."),
        ("It was never paid [6].", "It was promised [7]."),
        ("It was never paid.[3]", "It was promised."),
        ("It was never paid. [3]", "It was promised. [4][5]"),
        ("Was it paid?", "No!", "Never…", "Not once."),
        ("Gov. Scott met Dr. Cole and Sen. Hill on Jan. 6.", "They talked."),
        ("He joined Gov. [3] Scott.", "They talked."),
        ("The U.S. Senate voted at 9 a.m. on the bill.", "It passed."),
        ("It happened in the U.S.", "The rest is rumour."),
        ("It happened in the U.S.[3].", "Congress voted."),
        ("J. K. Larch and George W. Elm wrote it.", "It sold well."),
        ("It costs 3.5 million, e.g. for roofs, see No. 5.", "He said no.", "She agreed."),
        ('The post says "They lost. We won." and is fake.', "It spread."),
        ('"It is over." he said.', "Nobody heard."),
        ("The post says “They lost.”", "It spread."),
        ("He waited ... and left.", "She stayed."),
        ("In 2019 it rose.", "3.5 million came.", "(Fewer stayed.)"),
    ],
)
def test_sentences_are_told_apart(sentences: tuple[str, ...]) -> None:
    assert split(" ".join(sentences)) == sentences


def test_a_citation_that_stands_alone_belongs_to_the_sentence_before() -> None:
    assert split("It was never paid.\n\n[3][4]\n\nIt rained.") == (
        "It was never paid. [3][4]",
        "It rained.",
    )


def test_a_sentence_may_begin_right_behind_a_citation() -> None:
    assert split("It was never paid.[3]It rained [4].So it goes.") == (
        "It was never paid.[3]",
        "It rained [4].",
        "So it goes.",
    )


def test_every_form_of_a_citation_closes_a_sentence() -> None:
    sentences = ("It was paid.【6】", "It rained. [Reason 7]", "So it goes. [ 8 ]", "It is [1; 2].")
    assert split(" ".join(sentences)) == sentences
    assert split("It was paid.【6】It rained [ 7 ].So it goes.【8†source】Now.") == (
        "It was paid.【6】",
        "It rained [ 7 ].",
        "So it goes.【8†source】",
        "Now.",
    )


def test_a_paragraph_ends_a_sentence_without_a_stop() -> None:
    assert split("A heading\n\nThe text.") == ("A heading", "The text.")


def test_no_text_has_no_sentences() -> None:
    assert split(" \n ") == ()


@given(st.text(alphabet='aB. [3]\n"”“?!…()', max_size=60))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(text.split())


def test_published_explanations_are_cut_nearly_as_their_authors_cut_them(
    shared_data: Path,
) -> None:
    file = shared_data / "transparent-fcexp" / "gpt4_full_data.json.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        records = json.load(lines).values()
    explanations = [one for record in records for one in record["explanation"].values()]
    same = sum(len(split(" ".join(one))) == len(one) for one in explanations)
    # The rest are mostly quotations that we keep whole and their authors cut apart.
    assert same / len(explanations) > 0.95
