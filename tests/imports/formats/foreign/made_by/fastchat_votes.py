"""Writes `arena/` with invented votes in the form that FastChat publishes, and prints what its own
script counts in them: `python fastchat_votes.py OUT` with FastChat on the path."""

import json
import sys
from itertools import cycle
from pathlib import Path

from fastchat.llm_judge.compute_agreement import run_mt_bench_agreement

QUESTIONS = {
    81: ("Name a river in France.", "Which sea does it reach?"),
    82: ("Add 2 and 2.", "Double it."),
    83: ("Translate 'Haus'.", "And 'Baum'?"),
}
ANSWERS = {
    "larch": {81: ("The Loire.", "The Atlantic."), 82: ("4.", "8."), 83: ("House.", "Tree.")},
    "birch": {81: ("The Rhône.", "The North Sea."), 82: ("4.", "9."), 83: ("Hut.", "Tree.")},
    "maple": {81: ("Paris.", "None."), 82: ("5.", "10."), 83: ("House.", "Bush.")},
}
PAIRS = [("larch", "birch"), ("maple", "larch"), ("birch", "maple")]
HUMAN = {
    "expert_0": cycle(["model_a", "model_b", "tie", "model_a", "model_b"]),
    "expert_1": cycle(["model_a", "model_b", "model_a", "tie"]),
    "expert_2": cycle(
        ["model_a", "model_a", "tie", "model_b", "model_b", "tie (bothbad)", "model_a"]
    ),
}
GPT_4 = cycle(["model_a", "model_b", "model_a", "tie", "model_b"])


def talk(model: str, question: int) -> list:
    asked, answers = QUESTIONS[question], ANSWERS[model][question]
    return [
        {"role": role, "content": text}
        for pair in zip(asked, answers, strict=True)
        for role, text in zip(("user", "assistant"), pair, strict=True)
    ]


def vote(question: int, models: tuple, turn: int, judge: object, winner: str) -> dict:
    if judge == "expert_1":  # who met the models on the other sides
        models = models[::-1]
        winner = {"model_a": "model_b", "model_b": "model_a"}.get(winner, winner)
    return {
        "question_id": question,
        "model_a": models[0],
        "model_b": models[1],
        "winner": winner,
        "judge": judge,
        "conversation_a": talk(models[0], question),
        "conversation_b": talk(models[1], question),
        "turn": turn,
    }


def main(out: Path) -> None:
    human, machine = [], []
    for turn in (1, 2):
        for question in QUESTIONS:
            for pair in PAIRS:
                for judge, winners in HUMAN.items():
                    human.append(vote(question, pair, turn, judge, next(winners)))
                machine.append(vote(question, pair, turn, ["gpt-4", "pair-v2"], next(GPT_4)))
    out.mkdir(parents=True, exist_ok=True)
    files = out / "human_judgments.json", out / "gpt4_pair_judgments.json"
    for file, votes in zip(files, (human, machine), strict=True):
        file.write_text(json.dumps(votes, indent=0))
    run_mt_bench_agreement(["gpt4-pair", "human"], files)
    run_mt_bench_agreement(["human", "human"], files[:1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
