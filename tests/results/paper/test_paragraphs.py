"""Sentences with citations."""

from results.paper.paragraphs import Paragraph, Sentence

PARAGRAPH = Paragraph(
    [
        Sentence("\u2068a_b\u2069 agrees: α\u00a00.5, 80\u00a0% of 3.", ("holm1979", "cohen1960")),
        Sentence("It ends."),
        Sentence("Once more.", ("holm1979",)),
    ]
)


def test_markdown_cites_before_the_full_stop() -> None:
    assert PARAGRAPH.as_markdown == (
        "a_b agrees: α 0.5, 80 % of 3 [@holm1979; @cohen1960]. It ends. Once more [@holm1979]."
    )


def test_latex_has_a_sentence_on_each_line_and_no_letter_that_is_a_command() -> None:
    assert PARAGRAPH.as_latex.splitlines() == [
        "a\\_b agrees: $\\alpha$ 0.5, 80 \\% of 3~\\citep{holm1979,cohen1960}.",
        "It ends.",
        "Once more~\\citep{holm1979}.",
    ]


def test_a_work_is_cited_once_in_the_list() -> None:
    assert PARAGRAPH.keys == ["holm1979", "cohen1960"]
    assert not Paragraph([])


def test_a_head_begins_a_paragraph() -> None:
    parted = Paragraph([Sentence("First."), Sentence("One.", head="10 %"), Sentence("Two.")])
    assert parted.as_markdown == "First.\n\n**10 %.** One. Two."
    assert parted.as_latex == "First.\n\n\\paragraph{10 \\%.}\nOne.\nTwo."
    assert parted.as_text == "First.\n\n10 %. One. Two."
