"""Writes `lm_eval/` by running lm-evaluation-harness: `python lm_eval_samples.py OUT`.

Two small tasks with invented content, one of choices and one of generated answers, and a model
that answers from a list in place of weights.
"""

import json
import sys
from pathlib import Path

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

CHOICES = [
    {"question": "What freezes at 0 °C?", "choices": ["Water", "Iron", "Salt"], "answer": 0},
    {"question": "What barks?", "choices": ["A cat", "A dog", "A fish"], "answer": 1},
    {"question": "What flies?", "choices": ["A stone", "A sparrow", "A chair"], "answer": 1},
    {"question": "What swims?", "choices": ["A trout", "A goat", "A hen"], "answer": 0},
]
SUMS = [
    {"question": "2 + 2 =", "answer": "4"},
    {"question": "3 + 5 =", "answer": "8"},
    {"question": "10 - 7 =", "answer": "3"},
]
CHOICE_TASK = """\
task: facts_choice
dataset_path: json
dataset_kwargs: {{data_files: {{test: {file}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: answer
metric_list: [{{metric: acc}}, {{metric: acc_norm}}]
"""
SUM_TASK = """\
task: sums_written
dataset_path: json
dataset_kwargs: {{data_files: {{test: {file}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list: [{{metric: exact_match}}]
"""


class Listed(LM):
    """Prefers the second choice, and adds up right but once."""

    def loglikelihood(self, requests):
        second = {choices["choices"][1] for choices in CHOICES}
        return [(-1.0 if r.args[1].strip() in second else -2.0, False) for r in requests]

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError

    def generate_until(self, requests):
        return [{"2 + 2 =": "4", "3 + 5 =": "9", "10 - 7 =": "3"}[r.args[0]] for r in requests]


def main(out: Path) -> None:
    tasks = out.parent / "tasks"
    tasks.mkdir(exist_ok=True)
    for name, docs, task in (("choice", CHOICES, CHOICE_TASK), ("sums", SUMS, SUM_TASK)):
        file = tasks / f"{name}.jsonl"
        file.write_text("".join(json.dumps(doc) + "\n" for doc in docs))
        (tasks / f"{name}.yaml").write_text(task.format(file=file))
    results = simple_evaluate(
        model=Listed(),
        tasks=["facts_choice", "sums_written"],
        task_manager=TaskManager(include_path=str(tasks), include_defaults=False),
        log_samples=True,
        bootstrap_iters=0,
    )
    samples = results.pop("samples")
    tracker = EvaluationTracker(output_path=str(out))
    tracker.general_config_tracker.model_name = "listed"
    tracker.general_config_tracker.model_name_sanitized = "listed"
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])
    # Of the table of results only the figures: the rest tells about the machine.
    (table,) = (out / "listed").glob("results_*.json")
    figures = {name: json.loads(table.read_text())[name] for name in ("results", "lm_eval_version")}
    table.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
