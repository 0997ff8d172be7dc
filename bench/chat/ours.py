"""Our run, in a process of its own: planned, worked and written down as in production.

`python -m bench.chat.ours QUESTIONS` on the database and endpoint that the environment names.
"""

import json
import os
import sys
import time


def main(questions: int) -> dict[str, object]:
    """From planning to the end of the run; the study is made before the clock starts."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.core.management import call_command

    from annotation.models import Study
    from bench.serve.study import set_up
    from judges.backends import chat as _loaded  # noqa: F401 (as the others load the SDK, untimed)
    from judges.defining import define_judge
    from judges.models import Call, Chunk, JudgeRun
    from judges.planning import plan_run
    from judges.working import work

    call_command("migrate", verbosity=0)
    set_up("chat", questions, 20)
    study = Study.objects.get(slug="chat")
    judge = define_judge(name="asked", method="zero_shot", backend="chat", model="fixed-delay")
    wall, cpu = time.perf_counter(), time.process_time()
    run = plan_run(study=study, judge=judge, subset="")
    planned = time.perf_counter() - wall
    while claimable := Chunk.objects.claimable().filter(run=run).first():
        work(chunk_id=claimable.pk)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    run = JudgeRun.objects.get(pk=run.pk)
    answered = run.calls.filter(status=Call.Status.ANSWERED, annotation__isnull=False).count()
    return {
        "seconds": wall,
        "cpu": cpu,
        "planned": planned,
        "main": time.thread_time(),
        "state": run.state,
        "answered": answered,
        "calls": run.calls.count(),
        "spent": str(run.spent),
    }


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
