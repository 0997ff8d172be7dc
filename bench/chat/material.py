"""What is asked: as long as a fact-check with its evidence, and no two alike."""

# The prompt of the questions that ours are asked, to a few bytes.
BYTES = 4_900
LINE = "A line of the evidence that a claim is held against. "


def prompts(questions: int) -> list[str]:
    """So many prompts of the same length."""
    body = (LINE * (BYTES // len(LINE) + 1))[:BYTES]
    return [f"Question {number:06d}. {body}" for number in range(questions)]
