"""inspect_ai on the same prompts: one task, one call per sample, its log written as it does.

Runs in an environment of its own, where none of our packages is:
`python inspect_eval.py BASE_URL QUESTIONS IN_FLIGHT FOLDER BYTES`
"""

import json
import os
import sys
import time


def main(
    base_url: str, questions: int, in_flight: int, folder: str, size: int
) -> dict[str, object]:
    """From `eval` to its end, the log included; loading the package is not timed."""
    os.environ |= {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "none"}
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import GenerateConfig, get_model
    from inspect_ai.solver import generate

    line = "A line of the evidence that a claim is held against. "
    body = (line * (size // len(line) + 1))[:size]
    samples = [Sample(input=f"Question {n:06d}. {body}") for n in range(questions)]
    config = GenerateConfig(max_connections=in_flight, temperature=0)
    model = get_model("openai/gpt-4o-mini", config=config, responses_api=False)
    task = Task(dataset=MemoryDataset(samples), solver=generate())
    wall, cpu = time.perf_counter(), time.process_time()
    logs = evaluate(
        task, model=model, log_dir=folder, display="none", max_samples=in_flight, max_tasks=1
    )
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    answered = sum(bool(s.output.completion) for s in logs[0].samples or [])
    return {"seconds": wall, "cpu": cpu, "answered": answered}


if __name__ == "__main__":
    url, many, at_once, logs_in, long = sys.argv[1:]
    print(json.dumps(main(url, int(many), int(at_once), logs_in, int(long))))
