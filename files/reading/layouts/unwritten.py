"""Claims or queries with their evidence, about which texts are still to be written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from files.columns.names import words_of
from files.columns.words import BACKGROUND, CLAIMS, EVIDENCE, RATERS, WRITTEN
from files.reading.doubts import Doubts, Option
from files.reading.evidence.profiles import Content, Profile
from files.reading.layouts.outputs import text_columns
from files.reading.layouts.sketch import Sketch, plain_name
from files.reading.model import ColumnReading, Holds

# The question, and its choices.
TEXTS, JUDGED, UNWRITTEN = "texts", "judged", "unwritten"
# What the study calls the kind of a query, by which responses are written.
QUERY_KIND = "query_kind"
# A name says it as a whole: a `claim_source` is no claim.
_ASKING: Mapping[Holds, frozenset[str]] = {
    Holds.CLAIM: CLAIMS | {"claims", "statement", "statements", "behauptungen"},
    Holds.QUERY: frozenset(["query", "queries", "question", "questions", "prompt", "frage"]),
}
_BESIDE = frozenset(["text", "the"])
_VERDICTS = ("verdict", "veracity", "ruling", "truthfulness", "urteil")
_PERHAPS_VERDICTS = ("label", "rating", "truth", "factuality", "classification", "conclusion")
_KINDS = frozenset(["kind", "type"])
_OF_QUERIES = frozenset(["query", "question", "of"])
# Somebody judged, or somebody wrote: then texts are there.
_JUDGED = (Holds.CRITERION, Holds.POSITION, Holds.SYSTEM, Holds.PART)
_CHOSEN = (Holds.TEXT, Holds.ANSWER, Holds.RATER, *_JUDGED)
# So many claims may stand twice, as a share of all and in a short table; a verdict is short.
_TWICE, _MOST_TWICE, _LONGEST_VERDICT = 0.2, 2, 60


@dataclass(frozen=True)
class Unwritten:
    """A table in which claims or queries may stand alone. sketch: how it is read where they are the
    texts. stated: what somebody said of its columns. asking: the column of claims or queries."""

    sketch: Sketch
    stated: Mapping[str, Holds]
    asking: str
    holds: Holds

    @cached_property
    def evidence(self) -> Mapping[str, Holds]:
        """The columns of passages, or of the document that a query is answered from."""
        told = (Holds.PASSAGES, Holds.DOCUMENT)
        if stated := {n: holds for n, holds in self.stated.items() if holds in told}:
            return stated
        named = {words: self._named(words) for words in (EVIDENCE, BACKGROUND)}
        passages, documents = named[EVIDENCE], named[BACKGROUND]
        if self.holds is Holds.QUERY and len(documents) == 1:
            return {**dict.fromkeys(passages, Holds.PASSAGES), documents[0]: Holds.DOCUMENT}
        return dict.fromkeys(passages or documents, Holds.PASSAGES)

    def _named(self, words: frozenset[str]) -> list[str]:
        kinds = (Content.TEXTS, Content.OBJECTS, Content.CODES, Content.EMPTY)
        return [
            name
            for name in self.sketch.sample.names
            if name != self.asking
            and words_of(plain_name(name)) & words
            and not words_of(plain_name(name)) & WRITTEN
            and self.sketch.profile(name).content in kinds
            and _holds_words(self.sketch.profile(name))
        ]

    @cached_property
    def verdict(self) -> str:
        """The column of the claims' verdicts; empty where there is none."""
        if self.holds is not Holds.CLAIM:
            return ""
        stated = [name for name, holds in self.stated.items() if holds is Holds.VERDICT]
        every = [w for words in (_VERDICTS, _PERHAPS_VERDICTS) for w in words]
        named = (n for word in every for n in self._rest if word in words_of(plain_name(n)))
        return next((n for n in (*stated, *named) if self._are_verdicts(n)), "")

    def _are_verdicts(self, name: str) -> bool:
        profile = self.sketch.profile(name)
        short = bool(profile.filled) and profile.mean_length <= _LONGEST_VERDICT
        return short and profile.numeric < 0.5 and profile.content is not Content.LINKS

    @cached_property
    def kind(self) -> str:
        """The column of the kind of query; empty where there is none."""
        if self.holds is not Holds.QUERY:
            return ""
        named = [
            name
            for name in self._rest
            if (words := words_of(plain_name(name))) & _KINDS and not words - _KINDS - _OF_QUERIES
        ]
        exact = [name for name in named if name == QUERY_KIND]
        found = next(iter((*exact, *named)), "")
        return found if found and self.sketch.profile(found).mean_length <= 60 else ""

    @property
    def _rest(self) -> list[str]:
        taken = {self.asking, *self.evidence, *self.stated}
        return [name for name in self.sketch.sample.names if name not in taken]

    @cached_property
    def fits(self) -> bool:
        """Whether there is evidence, and nothing else that is a text, or was answered."""
        members = {path[0] for n in self.evidence if (path := self.sketch.paths.get(n))}
        own = {n for n in self.sketch.sample.names if self.sketch.paths.get(n, ("",))[0] in members}
        known = {self.asking, *self.evidence, self.verdict, self.kind, *own}
        named = [n for n in self._texts if words_of(plain_name(n)) & WRITTEN]
        others = {*self.sketch.of(Holds.TEXT, Holds.ANSWER), *named} - known
        return bool(self.evidence) and not others

    @cached_property
    def _texts(self) -> list[str]:
        """Every column of texts."""
        return text_columns(Sketch(self.sketch.sample, self.sketch.doubts))

    @cached_property
    def is_clear(self) -> bool:
        """Whether the names tell it: a verdict or a kind of query stands beside passages; or
        nothing else can be a text."""
        if not self.sketch.of(Holds.TEXT, Holds.ANSWER):
            return True
        words = words_of(plain_name(self.verdict or self.kind))
        told = self.kind or words & {*_VERDICTS}
        named = all(words_of(plain_name(n)) & EVIDENCE for n in self.evidence)
        others = {*self._texts, *self.sketch.of(Holds.ANSWER)} - {self.asking, *self.evidence}
        return bool(told and named and not others)

    def decide(self, doubts: Doubts) -> str:
        """Which of the two it is; a question where the names do not tell it."""
        things = "claims" if self.holds is Holds.CLAIM else "queries"
        options = (
            Option(JUDGED, "these are the texts to judge"),
            Option(UNWRITTEN, f"these are {things} that texts are still to be written about"),
        )
        is_clear = self.is_clear
        return doubts.decide(
            TEXTS,
            f"No column holds texts about the {things} in `{self.asking}`. What are they?",
            *(reversed(options) if is_clear else options),
            is_asked=not is_clear,
        )

    def sketched(self) -> Sketch:
        """How the table is read where texts are still to be written."""
        found = Sketch(self.sketch.sample, self.sketch.doubts, remarks=[*self._remarks()])
        told = {self.asking: self.holds, **self.evidence}
        told |= {self.verdict: Holds.VERDICT} if self.verdict else {}
        for name in found.sample.names:
            found.holds[name] = self._read(name, told.get(name))
        return found

    def _read(self, name: str, told: Holds | None) -> ColumnReading:
        before = self.sketch.holds[name].holds
        if told is None and before in (Holds.SOURCE, Holds.OUTPUT):
            told = Holds.SOURCE if self.sketch.profile(name).is_unique else Holds.KEPT
        elif told is None and before in (Holds.PERSONAL, Holds.LEFT_OUT):
            told = before
        if told not in (None, Holds.KEPT):
            return ColumnReading(column=name, holds=told)
        named = QUERY_KIND if name == self.kind != QUERY_KIND else ""
        return ColumnReading(column=name, holds=Holds.KEPT, of="source", named=named)

    def _remarks(self) -> Iterator[tuple[str, str]]:
        sample, of = self.sketch.sample, "" if self.sketch.sample.whole else " of the first rows"
        rows = [(claim, any(told)) for claim, told in zip(
            sample.cells(self.asking), sample.keys([*self.evidence]), strict=True
        ) if claim]  # fmt: skip
        if bare := sum(not told for _, told in rows):
            without = f"`{self.asking}`: {bare:,} of {len(rows):,}{of} have no evidence"
            yield "bare", f"{without}; no text is written about these."
        if again := len(rows) - len({claim for claim, _ in rows}):
            same = f"`{self.asking}`: {again:,}{of} stand in an earlier row already"
            yield "again", f"{same}; a row is a source of its own, unless all its texts are equal."
        if any(_is_selection(name) for name in self._members):
            text = "Of evidence in nested JSON the texts alone are read, and not what is selected: "
            yield "members", f"{text}records of JSON lines (docs/formats.md) keep that."

    @property
    def _members(self) -> Iterator[str]:
        outer = {path[0] for n in self.evidence if (path := self.sketch.paths.get(n))}
        for name in self.sketch.sample.names:
            if self.sketch.paths.get(name, ("",))[0] in outer and name not in self.evidence:
                yield name


def unwritten(sketches: Sequence[Sketch], stated: Mapping[str, Holds]) -> Unwritten | None:
    """The only table, where its claims or queries may be without texts about them."""
    if len(sketches) != 1 or {*stated.values()} & {*_CHOSEN}:
        return None
    (sketch,) = sketches
    # Whoever said a claim may look like a rater.
    raters = [name for name in sketch.of(Holds.RATER) if words_of(plain_name(name)) & RATERS]
    if raters or sketch.names or sketch.choices or sketch.of(*_JUDGED):
        return None
    asking = [*_asking(sketch, stated)]
    if len(asking) != 1:
        return None
    found = Unwritten(sketch, stated, *asking[0])
    return found if found.fits else None


def _asking(sketch: Sketch, stated: Mapping[str, Holds]) -> Iterator[tuple[str, Holds]]:
    """Columns of claims or queries, hardly one of which stands twice."""
    said = [(name, holds) for name, holds in stated.items() if holds in _ASKING]
    if said:
        yield from said
        return
    for name in sketch.sample.names:
        words, profile = words_of(plain_name(name)), sketch.profile(name)
        are_texts = profile.content is Content.TEXTS or (
            profile.content is Content.CODES and profile.mean_length > 8
        )
        if name in stated or not are_texts:
            continue
        if profile.filled - len(profile.values) > max(_MOST_TWICE, _TWICE * profile.filled):
            continue
        for holds, told in _ASKING.items():
            if words & told and not words - told - _BESIDE:
                yield name, holds


def _holds_words(profile: Profile) -> bool:
    return profile.content is not Content.CODES or profile.mean_length > 8


def _is_selection(name: str) -> bool:
    return bool(words_of(plain_name(name)) & {"selected", "chain", "gold"})
