import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.texts.citations import MARKER, cited, mask


@pytest.mark.parametrize(
    ("text", "indices"),
    [
        ("It was never paid [6].", (6,)),
        ("It was never paid[14][39].", (14, 39)),
        ("Both agree [2, 1] and [2,7].", (2, 1, 7)),
        ("Three of them [3-5], or [7–8].", (3, 4, 5, 7, 8)),
        ("A list with a range [1, 3-4].", (1, 3, 4)),
        ("A wiki's brackets [[5]].", (5,)),
        ("A year is a citation outside the passages [2019].", (2019,)),
        ("He said [sic] that [his] bill [a2] was [] paid [-1].", ()),
        ("A period [1990-1999], backwards [5-3], still [4-4], endless [1-999].", ()),
        ("The longest list [1-20].", tuple(range(1, 21))),
        ("A period, from here on [1-21].", ()),
        ("No passage has a number like [1234567].", ()),
        ("Lenticular brackets【6】 and【14】【39】.", (6, 14, 39)),
        ("Wide ones ［6］, and wide digits [６、1２].", (6, 12)),
        ("Semicolons [1; 2] and [3;4, 5].", (1, 2, 3, 4, 5)),
        ("Room inside [ 6 ] or [ 1 , 2 ] or 【 ３ － ５ 】.", (6, 1, 2, 3, 4, 5)),
        ("By name [Reason 6], [reason 7] and [Reasons 1, 2].", (6, 7, 1, 2)),
        ("Each by name [Reason 6; Reason 7-8]; 【Passage 9】.", (6, 7, 8, 9)),
        ("Other names [Evidence 3], [doc. 4], [Source: 5], [Ref2].", (3, 4, 5, 2)),
        ("A cited file 【4†source】.", (4,)),
        ("Mixed brackets [6】 and words [Section 5], [Reason], [6 or 7], [Reason six].", ()),
        ("[Title 42] [6a] [a6] [6;] [;6] [1;;2] [Reason 1999-2004] 【】 [ ]", ()),
    ],
)
def test_markers_are_read_in_order_of_appearance(text: str, indices: tuple[int, ...]) -> None:
    assert cited(text) == indices


@pytest.mark.parametrize(
    ("text", "k", "masked"),
    [
        ("It was never paid [6].", 6, "It was never paid."),
        ("It was never paid[6].", 6, "It was never paid."),
        ("Paid [14][39] late.", 14, "Paid [39] late."),
        ("Paid [14] [39] late.", 39, "Paid [14] late."),
        ("Paid [1, 2].", 1, "Paid [2]."),
        ("Paid [1, 2].", 2, "Paid [1]."),
        ("Paid [3-5].", 4, "Paid [3, 5]."),
        ("Paid [13],[14],[15].", 13, "Paid [14],[15]."),
        ("Paid [13],[14],[15].", 15, "Paid [13],[14]."),
        ("Paid [5] twice [5].", 5, "Paid twice."),
        ("The bank[3]says so.", 3, "The bank says so."),
        ("The bank [3] says so.", 3, "The bank says so."),
        ("The bank—[3]—says so.", 3, "The bank——says so."),
        ('A "bank"[3] says so.', 3, 'A "bank" says so.'),
        ("It ended.[3] Then it rained.", 3, "It ended. Then it rained."),
        ("It ended.[3].", 3, "It ended."),
        ("It ended,[3].", 3, "It ended."),
        ("It ended (see [3]).", 3, "It ended (see)."),
        ("It ended ([3]).", 3, "It ended."),
        ("It ended [[3]].", 3, "It ended."),
        ("[7], she is not related.", 7, "she is not related."),
        ("[5].", 5, ""),
        ("It costs [5] .5 million.", 5, "It costs .5 million."),
        ("One line [3]\nand the next.", 3, "One line\nand the next."),
        ("It was [sic] paid [6].", 6, "It was [sic] paid."),
        ("It was paid [6] .", 7, "It was paid [6] ."),
        ("It was paid【6】.", 6, "It was paid."),
        ("It was paid 【6】【7】 late.", 6, "It was paid 【7】 late."),
        ("It was paid 【6】, [7] late.", 7, "It was paid 【6】 late."),
        ("The bank【3】says so.", 3, "The bank says so."),
        ("已付【6】。", 6, "已付。"),
        ("已付（【6】）。", 6, "已付。"),
        ("Paid [1; 2; 3].", 2, "Paid [1; 3]."),
        ("Paid [1;2, 3].", 1, "Paid [2, 3]."),
        ("Paid [ 6 ] late.", 6, "Paid late."),
        ("Paid [ 1, 2 ] late.", 1, "Paid [ 2 ] late."),
        ("Paid [Reason 6] late.", 6, "Paid late."),
        ("Paid [Reasons 1, 2].", 1, "Paid [Reasons 2]."),
        ("Paid [Reason 1; Reason 2].", 1, "Paid [Reason 2]."),
        ("Paid [Reason 1; Reason 2].", 2, "Paid [Reason 1]."),
        ("Paid [Reason 3-5] [6].", 4, "Paid [Reason 3, 5] [6]."),
        ("Paid ［６、７］.", 7, "Paid ［６］."),
        ("Paid 【4†source】 late.", 4, "Paid late."),
        ("Paid 【4†source】 late [5].", 5, "Paid 【4†source】 late."),
    ],
)
def test_masking_leaves_a_well_formed_sentence(text: str, k: int, masked: str) -> None:
    assert mask(text, k) == masked


words = st.sampled_from(
    ["paid", "U.S.", "3.5", '"late"', "(again)", "[sic]", "it’s", "—", "and", "x-ray"]
)
markers = st.one_of(
    st.lists(st.integers(0, 9), min_size=1, max_size=3).map(
        lambda ks: "".join(f"[{k}]" for k in ks)
    ),
    st.lists(st.integers(0, 9), min_size=1, max_size=3).map(
        lambda ks: f"[{', '.join(map(str, ks))}]"
    ),
    st.lists(st.integers(0, 9), min_size=2, max_size=3).map(
        lambda ks: ",".join(f"[{k}]" for k in ks)
    ),
    st.tuples(st.integers(0, 4), st.integers(1, 5)).map(lambda ab: f"[{ab[0]}-{ab[0] + ab[1]}]"),
    st.integers(0, 9).map(lambda k: f"([{k}])"),
    st.builds(
        lambda pair, room, name, separator, ks: (
            f"{pair[0]}{room}{name}{separator.join(map(str, ks))}{room}{pair[1]}"
        ),
        st.sampled_from(["[]", "【】", "［］"]),
        st.sampled_from(["", " ", "\u3000"]),
        st.sampled_from(["", "Reason ", "passages ", "Ref. "]),
        st.sampled_from([", ", ";", "; ", "、", "，", "; Reason "]),
        st.lists(st.integers(0, 9), min_size=1, max_size=3),
    ),
    st.integers(0, 9).map(lambda k: f"【{k}†source】"),
)
pieces = st.one_of(words, markers, st.sampled_from([" ", " ", " ", ", ", ". ", ".", "\n"]))
texts = st.lists(pieces, max_size=14).map("".join)
numbers = st.integers(0, 9)


@given(texts, numbers)
def test_masking_takes_away_one_citation_and_no_other(text: str, k: int) -> None:
    assert cited(mask(text, k)) == tuple(other for other in cited(text) if other != k)


@given(texts, numbers)
def test_masking_twice_is_masking_once(text: str, k: int) -> None:
    assert mask(mask(text, k), k) == mask(text, k)


@given(texts, numbers)
def test_a_text_without_the_citation_stays_as_it_is(text: str, k: int) -> None:
    if k not in cited(text):
        assert mask(text, k) == text


def letters_of(text: str) -> str:
    """The text outside markers, without spaces, stops and commas."""
    return re.sub(rf"\(?{MARKER}\)?|[\s.,]", "", text)


@given(texts, numbers)
def test_masking_keeps_the_other_markers_as_they_were_written(text: str, k: int) -> None:
    others = [marker for marker in re.findall(MARKER, text) if k not in cited(marker)]
    kept = iter(re.findall(MARKER, mask(text, k)))
    assert all(marker in kept for marker in others)


@given(texts, numbers)
def test_masking_changes_nothing_outside_the_markers_but_spacing(text: str, k: int) -> None:
    assert letters_of(mask(text, k)) == letters_of(text)


@given(texts, numbers)
def test_masking_never_joins_words(text: str, k: int) -> None:
    apart = re.sub(MARKER, " ", text)
    masked = re.sub(MARKER, " ", mask(text, k))
    assert re.findall(r"[a-z]+", masked) == re.findall(r"[a-z]+", apart)


@given(st.lists(st.one_of(words, markers), min_size=1, max_size=8), numbers)
def test_masking_leaves_no_space_before_a_stop_and_no_double_space(
    parts: list[str], k: int
) -> None:
    masked = mask(" ".join(parts) + ".", k)
    assert "  " not in masked
    assert not re.search(r"[^.\d—] \.$", masked.replace(" .5", ""))


def fcexp(shared_data: Path) -> list[dict[str, Any]]:
    file = shared_data / "transparent-fcexp" / "gpt4_full_data.json.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return list(json.load(lines).values())


def test_every_published_sentence_is_read_as_its_authors_read_it(shared_data: Path) -> None:
    ours, theirs = [], []
    for record in fcexp(shared_data):
        for generator, sentences in record["explanation"].items():
            ours += [list(cited(sentence)) for sentence in sentences]
            theirs += record["gen_cit"][generator]
    assert len(ours) == 2808
    assert ours == theirs


def test_every_published_sentence_is_masked_cleanly(shared_data: Path) -> None:
    ill_formed = re.compile(r"\s[.,;:!?]|,[.,]|\(\s|\(\)|  ")
    bad = []
    for record in fcexp(shared_data):
        for sentence in (s for sentences in record["explanation"].values() for s in sentences):
            for k in cited(sentence):
                masked = mask(sentence, k)
                before = len(ill_formed.findall(re.sub(r"\s*\[\d+\]", "", sentence)))
                if len(ill_formed.findall(re.sub(r"\s*\[\d+\]", "", masked))) > before:
                    bad.append(masked)
                assert cited(masked) == tuple(other for other in cited(sentence) if other != k)
    assert bad == []
