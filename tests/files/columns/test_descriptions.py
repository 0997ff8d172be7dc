import pytest

from files.columns.descriptions import described

# Two sources with two outputs each, every output judged by the same two people.
SOURCES = [*"aaaabbbb"]
OUTPUTS = [*"11223344"]
RATERS = [*"xyxyxyxy"]


@pytest.mark.parametrize(
    ("name", "cells", "of"),
    [
        ("topic", "mmmmnnnn", "source"),
        ("split", "tttttttt", "source"),
        ("length", "55667788", "output"),
        ("seconds", "12345678", "answer"),
        ("first_language", "dsdsdsds", "rater"),
        ("panel", "pqpqpqpq", "rater"),
    ],
)
def test_a_column_describes_the_widest_within_which_it_is_the_same(
    name: str, cells: str, of: str
) -> None:
    assert described(name, [*cells], sources=SOURCES, outputs=OUTPUTS, raters=RATERS) == of


def test_with_one_output_of_each_source_a_column_describes_the_output() -> None:
    assert described("topic", [*"mn"], sources=[*"ab"], outputs=[*"12"]) == "output"


def test_a_property_of_people_who_answer_apart_is_theirs() -> None:
    apart = {"sources": [*"abcd"], "outputs": [*"1234"], "raters": [*"xxyy"]}
    assert described("gender", [*"ffmm"], **apart) == "rater"
    assert described("batch", [*"1122"], **apart) == "output"
