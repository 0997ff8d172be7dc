"""The lexical judge, by hand; on the published explanations in the tests of `report`."""

from typing import Any

from judges.methods.asks import Ask
from judges.methods.contract import NoParameters
from judges.methods.lexical import Lexical, jaccard, tokens
from tasktypes.citation_recovery import CITATION_RECOVERY


def chosen(passage: str, *sentences: str) -> tuple[int, ...]:
    payload = {
        "claim": "A claim.",
        "verdict": "false",
        "passages": [{"index": 4, "text": passage}],
        "passage": 4,
        "sentences": [{"number": n, "text": text} for n, text in enumerate(sentences)],
    }
    ask = Ask(1, "unit", "recovery", CITATION_RECOVERY, payload)
    answer: Any = Lexical(NoParameters()).answer(ask).answer
    assert isinstance(answer, CITATION_RECOVERY.Answer)
    return answer.sentences


def test_tokens_are_lower_cased_words_and_numbers_without_citation_markers() -> None:
    assert tokens("The U.S. paid $3,500 [12][7, 8].") == {"the", "u", "s", "paid", "3", "500"}


def test_similarity_is_shared_of_all_tokens() -> None:
    # {a, b, c} and {b, c, d}: 2 of 4
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 2 / 4
    assert jaccard(frozenset(), frozenset()) == 0


def test_the_most_similar_sentence_is_chosen() -> None:
    # evidence {taxes, rose, in, may}; 1/6 (may), 3/6 (taxes, rose, may), 0
    assert chosen("Taxes rose in May.", "In no way.", "Taxes rose last May [3].", "No.") == (1,)


def test_of_equally_similar_sentences_the_first_is_chosen() -> None:
    assert chosen("Taxes rose.", "Nothing.", "Taxes fell.", "Taxes stayed.") == (1,)


def test_no_sentence_is_chosen_where_none_shares_a_word() -> None:
    assert chosen("Taxes rose.", "Nothing.", "Else.") == ()


def test_a_citation_marker_is_no_shared_word() -> None:
    assert chosen("Flight 3 left.", "So it is [3].", "The flight.") == (1,)


def test_a_sentence_keeps_its_number_where_another_is_blanked() -> None:
    payload = {
        "claim": "A claim.",
        "verdict": "",
        "passages": [{"index": 0, "text": "Taxes rose."}],
        "passage": 0,
        "sentences": [{"number": 1, "text": "No."}, {"number": 5, "text": "Taxes rose."}],
    }
    ask = Ask(1, "unit", "recovery", CITATION_RECOVERY, payload)
    assert Lexical(NoParameters()).answer(ask).answer == CITATION_RECOVERY.Answer(sentences=(5,))
