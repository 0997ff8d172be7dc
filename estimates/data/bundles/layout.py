"""The files of a bundle and the fields in them: written by `exporting`, read by `from_bundle`.

Records name each other by key. A line's place in its file is the order in which the program knows
the rows, and seeded draws depend on it.
"""

# Of the files and fields below; a reader of another edition refuses the bundle.
VERSION = 1

STUDY, SOURCES, ITEMS, UNITS = "study.json", "sources.jsonl", "items.jsonl", "units.jsonl"
RATERS, ANSWERS, RATINGS = "raters.jsonl", "answers.jsonl", "ratings.jsonl"
ESTIMATES = "estimates.jsonl"
FILES = (STUDY, SOURCES, ITEMS, UNITS, RATERS, ANSWERS, RATINGS, ESTIMATES)
# Only in bundles of studies in which somebody decided; their sums are in the manifest, too.
GOLD = "gold.jsonl"
# Only where judges were asked: a call per line, with its tokens and cost and without its reply.
CALLS = "calls.jsonl"
OPTIONAL = (GOLD, CALLS)
# A card for each judge and block, in all of its forms; their sums are in the manifest, too.
CARDS = "cards/"
# The SHA-256 of each of the others.
MANIFEST = "MANIFEST.json"

SOURCE_FIELDS = (
    *("key", "claim", "verdict", "passages", "chains"),
    *("document", "query", "nuggets"),
)
# Only in the records of sources, items, units and answers that have some.
METADATA = "metadata"
# Only in the records of sources that are conversations.
TURNS = "turns"
# Only in the records of sources of the sealed half. Of judges there are answers about these only
# where they were published, and these are in no figure but that of a look.
SEALED = "sealed"
# Of the study's record: the split, and in it when the answers behind the looks were published.
SPLIT, OPENED, LOOKS = "split", "opened", "looks"
ITEM_FIELDS = ("key", "system", "system_family", "evidence_source", "condition")
RATER_FIELDS = ("name", "version", "kind", "origin", "family")
# Of a rater's record, where it is a number within a unit and no person.
NUMBERED = "numbered"
# Of a judge's record, where there are any: the questions that it has no answer to, as keys of unit
# and block.
UNANSWERED = "unanswered"
