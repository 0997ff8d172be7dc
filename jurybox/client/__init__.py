"""A client of Jurybox's REST API, for scripts and notebooks on any machine.

It needs neither Django nor a database, only a server and a token (docs/client.md):

    from jurybox.client import Client

    with Client("https://jurybox.example.org") as client:  # the token is in JURYBOX_TOKEN
        study = client.study("mine")
        run = study.wait_for_run(study.run_judge("lexical"))
        print(study.report())
"""

from jurybox.client.bulk import LineResult, Sent
from jurybox.client.client import Client
from jurybox.client.examples import example_answers, example_study
from jurybox.client.frames import frame
from jurybox.client.problems import (
    ClientError,
    FieldProblem,
    Overtaken,
    Refused,
    Stopped,
    TimedOut,
    Unreachable,
)
from jurybox.client.readings import ReadFiles
from jurybox.client.records import read_records, read_study_file
from jurybox.client.rows import Collection, Export, Job, Row, Run
from jurybox.client.studies import Edited, Study, StudyFile
from jurybox.client.webhooks import is_genuine

__all__ = [
    "Client",
    "ClientError",
    "Collection",
    "Edited",
    "Export",
    "FieldProblem",
    "Job",
    "LineResult",
    "Overtaken",
    "ReadFiles",
    "Refused",
    "Row",
    "Run",
    "Sent",
    "Stopped",
    "Study",
    "StudyFile",
    "TimedOut",
    "Unreachable",
    "example_answers",
    "example_study",
    "frame",
    "is_genuine",
    "read_records",
    "read_study_file",
]
