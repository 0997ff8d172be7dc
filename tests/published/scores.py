"""What studies found of systems, and whether others found the same."""

import csv
import gzip
import json
from pathlib import Path

from tasktypes.ranking import RANKING
from tests.published.cases import ELSEWHERE, PER_ITEM, Case, Figure, Step, report, row, verdict


def _mean(system: str, what: str, printed: str, field: str = "value") -> Figure:
    group = {"system": system}
    pick = row("mean", "utility", "humans", field=field, aggregation=PER_ITEM, group=group)
    return Figure(what, printed, pick)


UTILITY = Case(
    key="utility-ratings",
    title="Utility of explanations, by system",
    source="Xing, Baldwin and Lau (2025), Table 9; the figures to be reached are those of the "
    "ratings in the authors’ repository, which differ from the printed ones by up to 0.05",
    steps=(
        Step(
            (
                (
                    "import_study ratings {data}/utility-ratings/ratings.csv "
                    "--columns examples/column-maps/utility.yaml --slug utility"
                ),
                report("utility"),
            ),
            (
                _mean("gpt4", "gpt4", "66.87"),
                _mean("gpt4", "gpt4, deviation", "19.40", field="sd"),
                _mean("gpt35", "gpt35", "72.52"),
                _mean("llama2-70b", "llama2-70b", "65.12"),
            ),
            expected="of the public ratings",
        ),
    ),
)


def _rated_claims(data: Path, made: Path) -> None:
    """The records of the first hundred sampled claims: those that people rated."""
    wanted = json.loads((data / "hit_sample_keys.json").read_text(encoding="utf-8"))[:100]
    with gzip.open(data / "gpt4_full_data.json.gz", "rt", encoding="utf-8") as stream:
        records = json.load(stream)
    (made / "rated.json").write_text(json.dumps({key: records[key] for key in wanted}))


def _lexical(setting: str, printed: str) -> tuple[Figure, ...]:
    names = ("precision", "recall", "f1")
    fields = [(name, field) for name in names for field in ("value", "sd")]
    return tuple(
        Figure(
            f"{setting}, {name}{', deviation' if field == 'sd' else ''}",
            value,
            row(
                name,
                "recovery",
                "lexical",
                field=field,
                aggregation=PER_ITEM,
                group={"setting": setting},
            ),
        )
        for (name, field), value in zip(fields, printed.split(), strict=True)
    )


def _retrieval(name: str, printed: str, field: str = "value", note: str = "") -> Figure:
    what = f"retrieval by GPT-4, {name}{', deviation' if field == 'sd' else ''}"
    pick = row(f"retrieval_{name}", "evidence", "selected", field=field, aggregation="per_source")
    return Figure(what, printed, pick, note)


_FILE = "{data}/transparent-fcexp/gpt4_full_data.json.gz"
_CHAINS = "--chains {data}/transparent-fcexp/claim_chain_mapping.json"
_UNKNOWN = "no reading of the files gives it"
_MORE_CHAINS = "0.74 also with the chains of 22 claims that the public mapping lacks"
FCEXP = Case(
    key="transparent-fcexp",
    title="Citations in generated explanations, and the evidence chosen for them",
    source="Xing, Baldwin and Lau (2025), Tables 2 and 4. The judge without a model is not "
    "theirs: its figures were computed from their files by other programs",
    prepared="`MADE/rated.json` holds the records of the first hundred of `hit_sample_keys.json`, "
    "the claims that people rated.",
    prepare=_rated_claims,
    steps=(
        Step(
            (
                f"import_study fcexp {_FILE} {_CHAINS} --slug g4",
                report("g4"),
            ),
            (
                _retrieval("precision", "0.40"),
                _retrieval("precision", "0.21", "sd"),
                _retrieval("recall", "0.75", note=_MORE_CHAINS),
                _retrieval("recall", "0.23", "sd", note=_UNKNOWN),
                _retrieval("f1", "0.47"),
                _retrieval("f1", "0.20", "sd"),
            ),
        ),
        Step(
            (f"import_study fcexp {{made}}/rated.json {_CHAINS} --slug rated", report("rated")),
            (
                Figure(
                    "size of human evidence (Table 2)",
                    "3.16",
                    row("evidence_size", "evidence", "chains", aggregation="per_source"),
                ),
                Figure(
                    "size of the machine’s evidence (Table 2)",
                    "5.07",
                    row("evidence_size", "evidence", "selected", aggregation="per_source"),
                    note=_UNKNOWN,
                ),
            ),
        ),
        Step(
            ("judge g4 lexical --setting full --wait", report("g4")),
            (
                *_lexical("sample", "0.845679 0.3613 0.836420 0.3636 0.839506 0.3614"),
                *_lexical("full", "0.844264 0.1836 0.835568 0.1861 0.838457 0.1841"),
                _retrieval("precision", "0.3959"),
                _retrieval("precision", "0.2142", "sd"),
                _retrieval("recall", "0.7363"),
                _retrieval("recall", "0.2908", "sd"),
                _retrieval("f1", "0.4659"),
                _retrieval("f1", "0.1989", "sd"),
            ),
            expected=ELSEWHERE,
        ),
    ),
)

_SYSTEMS = ("just", "explain_extr", "explain_mt")
_BEST = "The gold explanation ranks the best in Coverage."
_BETTER = "Explain-MT ranks better than Explain-Extr in Coverage."
_STATED = (
    (_BEST, "just", "explain_extr"),
    (_BEST, "just", "explain_mt"),
    (_BETTER, "explain_mt", "explain_extr"),
)
_STUDIES = ("original_paper", "original_recalculated", "reproduction")


def _tables_of_ranks(data: Path, made: Path) -> None:
    """Table 5 as one long table per study, and the original's conclusions as a study file."""
    with (data / "mar_table5.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for study in _STUDIES:
        with (made / f"{study}.csv").open("w", encoding="utf-8", newline="") as stream:
            table = csv.writer(stream)
            table.writerow(["study", "system", "rater", "metric", "value"])
            for one in rows:
                if one["study"] == study:
                    who = one["annotator"]
                    table.writerows([study, name, who, "mean_rank", one[name]] for name in _SYSTEMS)
    conclusions = [
        {"text": text, "metric": "mean_rank", "better": better, "worse": worse}
        for text, better, worse in _STATED
    ]
    described = {"slug": _STUDIES[0], "title": "The original", "conclusions": conclusions}
    blocks = [{"task_type": RANKING.slug}]
    (made / "original.yaml").write_text(json.dumps(described | {"blocks": blocks}))


def _compared(study: str, against: str, printed: str, *more: Figure) -> Step:
    *apart, rho = printed.split()
    label = f"{study.replace('_', ' ')} against {against.replace('_', ' ')}"
    group = {"against": against}
    figures = [
        Figure(
            f"{label}, CV* of {name}",
            value,
            row("cv_star", "", "humans", aggregation="system", group=group | {"system": name}),
        )
        for name, value in zip(_SYSTEMS, apart, strict=True)
    ]
    spearman = row("spearman", "", "humans", aggregation="system", group=group)
    figures.append(Figure(f"{label}, Spearman’s ρ", rho, spearman))
    return Step((report(study, f"--against {against}"),), (*figures, *more))


_FIRST = _compared("original_recalculated", "original_paper", "1.34 1.60 0.59 1.00")
REPROHUM = Case(
    key="reprohum-0087-01",
    title="A reproduction of a ranking of explanations",
    source="Gao, Ruan and Wan (2024), Tables 1 to 3, from the published Table 5",
    prepared="`MADE` holds Table 5 as one long table per study with the columns of `summary`, and "
    "a study file with the conclusions of the original.",
    prepare=_tables_of_ranks,
    steps=(
        Step(
            (
                *(f"import_study summary {{made}}/{name}.csv --slug {name}" for name in _STUDIES),
                "apply_study {made}/original.yaml",
                *_FIRST.commands,
            ),
            _FIRST.figures,
        ),
        _compared(
            "reproduction",
            "original_paper",
            "38.14 2.09 3.63 -0.50",
            Figure(_BEST, "not confirmed", verdict(_BEST)),
            Figure(_BETTER, "confirmed", verdict(_BETTER)),
        ),
        _compared("reproduction", "original_recalculated", "36.85 3.68 4.22 -0.50"),
    ),
)
