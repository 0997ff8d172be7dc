"""What a marking is to be: how many people, texts and answers, and what is asked."""

from dataclasses import dataclass

from marking.verdicts import Verdicts

# Three batches: with those that two people mark, two of them do 30 marks each.
TEXTS, BATCH = 45, 15
CANNOT_SAY = "cannot say"


@dataclass(frozen=True)
class Plan:
    """As a command states it. people: who mark. texts: how many are drawn at first. answers: people
    for each text; 0: one, and two for every third where several people mark."""

    people: int = 1
    texts: int = TEXTS
    answers: int = 0
    question: str = ""
    seed: int = 1

    @property
    def doubles(self) -> bool:
        """Whether some texts get a second answer."""
        return not self.answers and self.people > 1

    def asked(self, verdicts: Verdicts) -> str:
        """The question in words."""
        if self.question:
            return self.question
        words = [f"“{label}”" for label in verdicts.labels]
        return f"Is this {', '.join(words[:-1])} or {words[-1]}?"
