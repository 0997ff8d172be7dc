"""Our run, in processes of its own: planned, worked and written down as in production.

`python -m bench.chat.ours QUESTIONS WORKERS`, on the database and endpoint that the environment
names.
"""

import json
import os
import sys
import time
from multiprocessing import get_context


def main(questions: int, workers: int) -> dict[str, object]:
    """From planning to the end of the run; the study is made, and the workers wait with the SDK
    loaded, before the clock starts."""
    _set_up_django()
    from django.core.management import call_command
    from django.db import connections

    from annotation.models import Study
    from bench.serve.study import set_up
    from judges.definitions.versions import define_judge
    from judges.models import Call, Chunk, JudgeRun
    from judges.runs.plans.plan import plan_run

    call_command("migrate", verbosity=0)
    set_up("chat", questions, 20)
    study = Study.objects.get(slug="chat")
    judge = define_judge(
        study=study, name="asked", method="zero_shot", backend="chat", model="fixed-delay"
    )
    with get_context("spawn").Pool(workers, _set_up_django) as pool:
        pool.map(_nothing, range(workers), chunksize=1)
        wall, cpu = time.perf_counter(), time.process_time()
        run = plan_run(study=study, judge=judge, subset="")
        cpu = time.process_time() - cpu
        connections.close_all()
        while chunks := list(Chunk.objects.claimable().filter(run=run).values_list("pk")):
            cpu += sum(pool.starmap(_work, chunks, chunksize=1))
        wall = time.perf_counter() - wall
    run = JudgeRun.objects.get(pk=run.pk)
    answered = run.calls.filter(status=Call.Status.ANSWERED, annotation__isnull=False).count()
    return {
        "seconds": wall,
        "cpu": cpu,
        "state": run.state,
        "answered": answered,
        "calls": run.calls.count(),
        "spent": str(run.spent),
    }


def _set_up_django() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from judges.backends.chat import live as _loaded  # noqa: F401 (as the others load the SDK, untimed)


def _nothing(_worker: int) -> None:
    time.sleep(0.1)  # so that each worker gets one of these, and all have begun


def _work(chunk_id: int) -> float:
    """Work a chunk; the seconds of processor time that it took."""
    from judges.runs.delivery.work import work

    cpu = time.process_time()
    work(chunk_id=chunk_id)
    return time.process_time() - cpu


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
