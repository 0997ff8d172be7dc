"""The arguments of `report`."""

from django.core.management.base import CommandParser

from estimates.catalogue import Table
from estimates.data.options import RESAMPLED, SCORES, TIED, consensus_names

# The forms of paragraphs with citations, the usual one first.
PAPER = ("markdown", "latex", "bibtex")


def add_arguments(parser: CommandParser) -> None:
    """All of them."""
    _add_forms(parser)
    _add_options(parser)
    _add_answers(parser)
    _add_selection(parser)


def _add_forms(parser: CommandParser) -> None:
    """Of which study, and in which form."""
    parser.add_argument(
        "study", help="the study's slug, or the file of a bundle (BUNDLE.zip) to recompute"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of a table")
    form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    form.add_argument("--latex", action="store_true", help="print the page's tables in LaTeX")
    form.add_argument("--markdown", action="store_true", help="print the page's tables in Markdown")
    form.add_argument(
        "--paper",
        nargs="?",
        choices=PAPER,
        const=PAPER[0],
        help="print paragraphs on methods and results with citations, in Markdown or LaTeX, "
        "or the references in BibTeX",
    )
    form.add_argument(
        "--html",
        action="store_true",
        help="print the results without names as one page that opens offline",
    )


def _add_options(parser: CommandParser) -> None:
    """How figures are computed."""
    parser.add_argument(
        "--all",
        action="store_true",
        dest="everything",
        help="with the figures of every two named raters for each part of the study, and of "
        "every judge under its full name, such as lexical@1: most of the rows; and α with the "
        "ratio distance on scales that do not "
        "begin at 0",
    )
    parser.add_argument(
        "--consensus",
        choices=consensus_names(),
        help="how several people become one, for the kinds of value that know this rule",
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=1000,
        help="bootstrap resamples of quartiles; 0 for no intervals at all",
    )
    parser.add_argument(
        "--resample",
        choices=RESAMPLED,
        default=SCORES,
        help="what intervals of several people speak of: other sources and other people, or "
        "other sources and these people; scores: the first of scores and tests of systems, "
        "the second of agreement",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap")
    parser.add_argument(
        "--tie-tolerance",
        type=float,
        default=TIED,
        help="system means this close, as a share of the largest, are tied in correlations; 0: "
        "as computed",
    )
    parser.add_argument(
        "--none-apart",
        action="store_true",
        help="in comparisons of sets with several people, an empty answer is a label "
        "of its own, not one of those outside the reference",
    )
    parser.add_argument(
        "--epsilon",
        type=float,
        help="what a judge's lower cost is worth in the alternative annotator test: 0.1 in "
        "place of a crowd, 0.15 of skilled annotators, 0.2 of experts (the study's own)",
    )


def _add_answers(parser: CommandParser) -> None:
    """Which answers count."""
    parser.add_argument("--only", default="", metavar="NAME", help="of people, this one's alone")
    parser.add_argument("--without", default="", metavar="NAME", help="not those of this person")
    parser.add_argument("--excluded", action="store_true", help="excluded answers as well")


def _add_selection(parser: CommandParser) -> None:
    """Which figures are printed."""
    parser.add_argument(
        "--against", metavar="OTHER", help="another study's slug: both side by side"
    )
    parser.add_argument(
        "--table",
        nargs="+",
        choices=[str(table) for table in Table],
        metavar="TABLE",
        help="only what stands in these tables of the results page, such as correlation; "
        "evaluators: every judge beside people in one row per figure; scorecard: what "
        "each judge lets pass, its gap to people, and where it is worse; detection: what each "
        "measure finds of faults made on purpose",
    )
    parser.add_argument("--facet", nargs="+", help="only rows of these facets")
    parser.add_argument(
        "--likeness",
        action="store_true",
        help=(
            "instead of all else, the similarity of each person's answers to each judge's "
            "and to other people's: no proof of copying, see docs/review-and-pay.md"
        ),
    )
    parser.add_argument(
        "--rater-groups",
        action="store_true",
        help="instead of all else, figures of people by what files tell of them, where the study "
        "groups its results by it: personal data, of no fewer than five people together",
    )
    parser.add_argument(
        "--panel",
        nargs="+",
        metavar="KEY",
        help="with --latex or --markdown, only these tables, by the key in their address",
    )
    parser.add_argument(
        "--part",
        nargs="+",
        metavar="KEY=NAME",
        help="with --latex or --markdown, of this part: setting, system, evidence_source, round or "
        "an own column that the study groups its results by",
    )
