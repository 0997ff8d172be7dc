"""Names of columns, criteria, systems and people: customary ones, and odd ones as people write
them. Many stand in no list of the program."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

COMMON: Mapping[str, tuple[str, ...]] = {
    "source": (
        *("doc_id", "document_id", "item", "item_id", "id", "example_id", "article_id", "idx"),
        *("question_id", "sample_id", "prompt_id", "dialogue_id", "conversation_id", "source_id"),
        *("sentence_id", "uid", "Item ID", "story_id"),
    ),
    "output": ("output_id", "summary_id", "response_id", "text_id", "hit_item"),
    "segment": ("segment", "turn", "sentence_no", "paragraph", "segment_id"),
    "system": ("system", "model", "system_id", "model_name", "generator", "System", "method"),
    "rater": (
        *("annotator", "rater", "worker_id", "WorkerId", "annotator_id", "participant", "coder"),
        *("evaluator", "Annotator", "participant_id", "rater_id", "worker", "expert", "assessor"),
    ),
    "criterion": ("criterion", "aspect", "dimension", "metric", "quality", "Criterion", "facet"),
    "value": ("rating", "score", "label", "answer", "value", "judgment", "Rating", "response"),
    "text": ("output", "text", "summary", "response", "hypothesis", "generated_text", "candidate"),
    "document": ("document", "article", "source_text", "input", "prompt", "context", "question"),
    "winner": ("winner", "preference", "preferred", "choice", "better", "verdict", "label"),
}
ODD: Mapping[str, tuple[str, ...]] = {
    "source": (
        *("Satz-Nr", "nr", "Beitrag", "ref", "pmid", "Fall", "numéro", "case no.", "stimulus"),
        *("Text-ID", "qid", "Vorlage Nr.", "#", "topic", "key", "HIT no", "Laufnummer", "tweet"),
    ),
    "output": ("out", "Ausgabe-Nr", "hyp_no", "seg", "Antwort-ID"),
    "segment": ("Absatz", "Satz", "seg_no", "turn_index"),
    "system": (
        *("Verfahren", "Ansatz", "Variante", "engine", "arm", "Modell", "produced by", "team"),
        *("run", "bot", "sys", "approach", "condition", "LLM", "written_by"),
    ),
    "rater": (
        *("Bewerter", "Prüfer", "Kodierer", "who", "VP", "Proband", "anotador", "évaluateur"),
        *("subject", "initials", "student", "Gutachter", "annot.", "pid", "prolific", "Person"),
    ),
    "criterion": ("Kriterium", "Merkmal", "Aspekt", "prop", "what", "scale name", "item_type"),
    "value": (
        *("Note", "Wertung", "Punkte", "mark", "r", "val", "Bewertung", "stars", "grade"),
        *("Antwort", "likert", "points", "res", "x"),
    ),
    "text": (
        *("Ausgabe", "Kurzfassung", "hyp", "gen", "Übersetzung", "sys_out", "simplification"),
        *("explanation", "Zusammenfassung", "story", "mt"),
    ),
    "document": (
        *("Quelle", "Artikel", "Vorlage", "src", "original", "Ausgangstext", "abstract"),
        *("dialogue", "premise", "orig. sentence"),
    ),
    "winner": ("Gewinner", "besser", "pref", "which is better?", "Wahl", "vote", "A or B"),
}
CRITERIA = (
    *("fluency", "coherence", "relevance", "faithfulness", "grammar", "helpfulness", "accuracy"),
    *("consistency", "informativeness", "simplicity", "adequacy", "Fluency", "Overall"),
)
ODD_CRITERIA = (
    *("Flüssigkeit", "Lesbarkeit", "natural", "on-topic", "funny", "Empathie", "plausibel"),
    *("gramm.", "persuasive", "hallucination", "Verständlichkeit", "novelty", "politeness"),
    *("How funny is it?", "Q_clear", "engagingness", "style match"),
)
SYSTEMS = (
    *("gpt-4", "gpt-3.5", "llama2-7b", "t5_base", "bart", "human", "baseline", "pegasus"),
    *("mistral-7b", "lead3", "seq2seq", "vicuna", "flan-t5", "claude-2"),
)
ODD_SYSTEMS = (
    *("System 1", "BART (ft)", "seq2seq+attn", "ours", "w/o retrieval", "Regel", "Referenz"),
    *("sysA", "v2", "rand", "MT-3", "oracle", "tmpl", "NMT_big"),
)
RATER_NAMES = (
    lambda rng, n: [f"a{i + 1}" for i in range(n)],
    lambda rng, n: [f"annotator_{i + 1}" for i in range(n)],
    lambda rng, n: [f"expert{i + 1}" for i in range(n)],
    lambda rng, n: [f"R{i:02}" for i in range(1, n + 1)],
    lambda rng, n: ["A" + "".join(rng.choices("0123456789ABCDEFGHJK", k=12)) for _ in range(n)],
)
ODD_RATER_NAMES = (
    lambda rng, n: [str(i + 1) for i in range(n)],
    lambda rng, n: ["".join(rng.choices("0123456789abcdef", k=24)) for _ in range(n)],
    lambda rng, n: ["".join(rng.choices("ABCDEFGHIKLMNOPRSTUVW", k=3)) for _ in range(n)],
    lambda rng, n: [f"VP{rng.randint(1, 9)}{i}" for i in range(n)],
    lambda rng, n: [f"rater {c}" for c in "ABCDEFGHIJ"[:n]],
)
_LINES = (
    "the a river council storm vote train market bridge school report season goal doctor child",
    "opened closed said will have been found under after before many seven cold new late small",
    "house minister team player city price winter road music water field letter window",
)
_WORDS = [word for line in _LINES for word in line.split()]


@dataclass
class Vocabulary:
    """Draws names, each once."""

    rng: random.Random
    odd: bool
    _taken: set[str] = field(default_factory=set)

    def column(self, role: str) -> str:
        """A name of a column for what it holds."""
        names = COMMON[role]
        if self.odd and self.rng.random() < 0.6:
            names = ODD[role]
        free = [name for name in names if name.casefold() not in self._taken]
        chosen = self.rng.choice(free or [f"{names[0]}_{len(self._taken)}"])
        self._taken.add(chosen.casefold())
        return chosen

    def criteria(self, number: int) -> list[str]:
        """Names of criteria."""
        return self._several(CRITERIA, ODD_CRITERIA, number)

    def systems(self, number: int) -> list[str]:
        """Names of systems: known ones, or made up."""
        made = tuple(self._made_up() for _ in range(number)) if self.odd else ()
        return self._several(SYSTEMS, (*ODD_SYSTEMS, *made), number)

    def raters(self, number: int) -> list[str]:
        """Names of raters."""
        kinds = ODD_RATER_NAMES if self.odd and self.rng.random() < 0.5 else RATER_NAMES
        names: list[str] = self.rng.choice(kinds)(self.rng, number)
        return names if len({*names}) == number else RATER_NAMES[0](self.rng, number)

    def _made_up(self) -> str:
        """Such as `Kadolu-3`."""
        parts = self.rng.choices(("ka", "do", "lu", "mir", "ve", "so", "tan", "gri", "bex"), k=3)
        end = self.rng.choice(("", "", "-3", "_xl", " v2", "-13b-chat"))
        return "".join(parts).capitalize() + end

    def words(self, low: int, high: int) -> str:
        """A sentence."""
        words = self.rng.choices(_WORDS, k=self.rng.randint(low, high))
        return " ".join(words).capitalize() + "."

    def _several(self, common: tuple[str, ...], odd: tuple[str, ...], number: int) -> list[str]:
        names = [*common, *odd] if self.odd else [*common]
        distinct = {name.casefold(): name for name in self.rng.sample(names, len(names))}
        return [*distinct.values()][:number]
