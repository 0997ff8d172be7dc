"""The README of every export: what the files hold, and what was left out."""

from collections.abc import Iterator

from django.db.models import Count, Q

from annotation.models import Annotation, GoldAnswer, Rater, Study
from annotation.models.answers import Moment, unreplaced
from estimates.report.cache import revision_of
from estimates.report.stopping import stop_text
from exports.tables.answers import exported, imported_names

DEFINITIONS = """\
Words
  unit       what a rater met at once: one source with one or more items
  item       one output for a source, such as one system's explanation of a claim
  role       normal, positive or negative control, example, training; only normal units
             enter estimates, control accuracy is reported apart
  rater      whoever answered: human, judge (a program or a model) or simulated
  simulated  played by a program, to try things out. Never counted as human
  judge      "name" is the newest version that has answers, "name@1" an older one
  replicate  one of several answers of the same rater to the same question, from 0
  block      the question asked about a unit; facet: the quantity its answers are compared by
  element    the part of the unit that a value is about; empty: the whole unit

"""
PSEUDONYMS = """\
People who answered in Jurybox are named by pseudonyms. No panel's ids are in these files.
"""
NAMES = """\
People whose answers were imported ({n} here) are named as in the file that they came from, in every
file with raters. Where those are names of people, or a panel's ids, import them with
--pseudonyms before you publish.
"""
NAMELESS = """\
No person is named in these files, not even by a pseudonym.
"""
JSONL = """\
items.jsonl    the study's questions and its material, one unit per line
answers.jsonl  answers of counting rounds and imports, to normal units and controls
Both can be read again: import_study jsonl items.jsonl, then import_answers.
"""
CSV = """\
ratings.csv    every value of every stored answer that no later one has replaced, with
               "counted" saying whether it enters estimates and "why_not_counted"
               Own columns of the imported files are last: source.NAME, item.NAME, unit.NAME,
               answer.NAME
wide.csv       the same with a row for each unit, facet and element, and a column for each rater
               (human_NAME, judge_NAME, simulated_NAME; #1 for a second answer of the same rater);
               "not_counted" names the columns whose value enters no estimate, with the reason
estimates.csv  every estimate, as of the revision above
calibrated.csv of scales without steps, every item's score with each worker's own scale taken
               out: in standard deviations of items, with the deviation of the posterior
A set is written as a JSON list; [] is the answer "none". A text cell that begins like a formula
(= + - @) has an apostrophe before it.
"""
PARQUET = """\
ratings.parquet    every value of every stored answer that no later one has replaced, with
                   "counted" saying whether it enters estimates and "why_not_counted"; own columns
                   of the imported files are last: source.NAME, item.NAME, unit.NAME, answer.NAME
estimates.parquet  every estimate, as of the revision above; "group" as key=name pairs
"answered_at" is a time in UTC. "value" of a rating is text: the number, the label, or the set as
a JSON list; [] is the answer "none". "number" is the same as a number, and null where the value is
none.
"""
XLSX = """\
The sheet "ratings" holds every value of every stored answer that no later one has replaced, with
"counted" saying whether it enters estimates and "why_not_counted", and own columns of the imported
files last (source.NAME, item.NAME, unit.NAME, answer.NAME); "estimates" every estimate, as of the
revision above. A set is written as a JSON list; [] is the answer "none". No cell is a
formula: a text that looks like one is text.
"""
BUNDLE = """\
One JSON object per line, but for study.json. Records name each other by key; the order of lines
matters to seeded draws. "report FILE.zip" computes every estimate from these files again.

study.json       slug, title, state, revision of the answers, seed, blocks with their options,
                 rounds, subsets, the rule that may close the study (stop_rule), each time that it
                 did (stops), and the options that estimates.jsonl was computed with
sources.jsonl    key, claim or document or query or turns, verdict, passages, chains, nuggets
items.jsonl      key, source, system, system_family, evidence_source, condition, sentences,
                 perturbed_from
units.jsonl      key, source, items (in the order of positions), role, subsets, round, focus,
                 check (of a generated control), questions: block -> payload (what was shown) and
                 reference (the right answer, or null)
raters.jsonl     name, version, kind, origin (here or imported), family of a judge's model
answers.jsonl    answer (its number), unit, block, rater, version, replicate, round, content,
                 surplus, excluded (the reason; empty: not excluded), active_seconds, paradata
                 (counts while answering, where the study asked for them), answered_at,
                 inclusion (share of the round's random order given out up to this unit)
ratings.jsonl    answer, facet, element, value: number, label, or set as a list ([] is "none")
estimates.jsonl  every estimate, as of the revision above
calls.jsonl      only where judges were asked: rater, version, run, unit, block, replicate, status,
                 tokens_in, tokens_out, cost (USD), without replies
cards/           the card of every judge and block, as JSON, Markdown and a page. "report FILE.zip"
                 computes their numbers again and names those that are stated only
Sources, items, units and answers have "metadata" where their files had own columns.
MANIFEST.json    the SHA-256 of each of these files
"""
TOLD = """\
Personal data: delete these two when you no longer need them. Publish them only if people agreed.
texts.csv           what people wrote here beside answers: unit, block, rater, kind, text
questionnaires.csv  what they told of themselves: rater, asked (before or after), question, answer
"""
GOLD = """\
gold.jsonl       what adjudicators decided to be right: unit, block, answer, reason, blind (decided
                 without being told who had given which answer), adjudicator (a number),
                 decided_at, current (false: replaced by a later decision)
"""


def readme_lines(
    study: Study,
    files: str,
    counted: str = "in answers.jsonl",
    *,
    named: bool = True,
    moment: Moment | None = None,
) -> Iterator[str]:
    """Which study, which files, how many answers of whom, and the words used. named: people stand
    in the files by their names or pseudonyms. moment: which answers are in the files; None: those
    that are stored now."""
    revision = revision_of(study) if moment is None else moment.revision
    yield f"{study.title} ({study.slug})\n"
    yield f"Exported by Jurybox as of revision {revision} of its answers.\n\n"
    if study.caution:
        yield f"{study.caution}\n\n"
    yield from (f"{stop_text(stop)}\n\n" for stop in study.stops)
    yield files
    if files in (JSONL, BUNDLE) and GoldAnswer.objects.filter(study=study).exists():
        yield GOLD
    yield "\nAnswers\n"
    yield from (f"  {what:<58}{n:>9}\n" for what, n in _counts(study, counted, moment).items())
    yield "\n"
    yield DEFINITIONS
    if not named:
        yield NAMELESS
        return
    yield PSEUDONYMS
    if imported := imported_names(study):
        yield NAMES.format(n=imported)


def _counts(study: Study, where: str, moment: Moment | None) -> dict[str, int]:
    """How many answers there are, of whom, and what keeps the others out."""
    stored = Annotation.objects.filter(study=study)
    if moment is not None:
        stored = stored.exclude(moment.later())
    newest = stored.filter(unreplaced(moment))
    of_kind = exported(study, moment=moment).aggregate(
        **{kind: Count("pk", filter=Q(rater__kind=kind)) for kind in Rater.Kind}
    )
    standing = stored.standing(moment=moment)
    made_up = _made_up(study, moment)
    return {
        f"{where}: human": of_kind[Rater.Kind.HUMAN] - made_up,
        f"{where}: judge": of_kind[Rater.Kind.JUDGE],
        f"{where}: simulated (never counted as human)": of_kind[Rater.Kind.SIMULATED] + made_up,
        "counted in estimates (normal units, no controls)": stored.counted(moment=moment).count(),
        "not counted: rounds that do not count (pilot, training)": standing.filter(
            round__counts=False
        ).count(),
        "not counted: surplus": newest.filter(surplus=True).count(),
        "not counted: excluded": newest.exclude(excluded_reason="").count(),
        "withdrawn by the worker, content erased": stored.exclude(withdrawn_at=None).count(),
        "replaced by a later answer": stored.count() - newest.count(),
    }


def _made_up(study: Study, moment: Moment | None) -> int:
    """How many answers count as people's in a demonstration alone."""
    if not study.demonstration:
        return 0
    people = {"rater__kind": Rater.Kind.HUMAN, "rater__origin": Rater.Origin.IMPORTED}
    return exported(study, moment=moment).filter(**people).count()
