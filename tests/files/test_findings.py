from files.findings import Findings, word_on_texts
from tasktypes.texts.material import Item
from tasktypes.texts.sentences import cut


def looked_at(*texts: str) -> Findings:
    findings = Findings()
    for text in texts:
        findings.count("items")
        findings.look_at_text(Item(key="a", sentences=cut(text)))
    return findings


def test_a_file_of_lists_and_code_is_asked_about_in_one_sentence() -> None:
    counts = looked_at("Do:\n- a\n- b", "Run `x`.", "Words.\nMore words.").counts
    assert word_on_texts(counts, "plain") == "2 of 3 texts hold lists or code: shown as Markdown?"


def test_formulas_are_asked_about_as_markdown_with_formulas() -> None:
    counts = looked_at("# T\nLet $x^2$ be **so**.", "Words.").counts
    said = "1 of 2 texts holds headings, emphasis or formulas: shown as Markdown with formulas?"
    assert word_on_texts(counts, "plain") == said


def test_nothing_is_asked_of_running_text_or_once_it_is_answered() -> None:
    findings = looked_at("Words.", "Two\n\nparagraphs.")
    assert word_on_texts(findings.counts, "plain") == ""
    assert findings.as_json()["counts"] == {"items": 2}
    assert word_on_texts(looked_at("**a**").counts, "markdown") == ""
