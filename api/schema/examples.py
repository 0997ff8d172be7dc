"""An example for each body that operations take or answer, by the name of its component."""

from typing import Any

from imports.study_file.doors import Door
from imports.study_file.study_fields import StudyFields, shown_at
from tasktypes.registry import PUBLISHED_BLOCKS

AT = "2026-03-01T10:00:00Z"
SITE = "https://jurybox.example.org"
STUDY = f"{SITE}/api/v1/studies/first"
BLOCK = PUBLISHED_BLOCKS[-1].slug
UNIT, ANSWER = "i1", {"value": 40}
# A line of a file of records, and one of a file of answers.
RECORD = {
    "source": {"key": "s2", "document": "It rained."},
    "items": [{"key": "i2", "text": "It was wet."}],
}
LINE = {"unit": UNIT, "rater": "ann", "kind": "human", "answer": ANSWER}
# The keys of a study file.
FILE = {"slug": "first", "title": "First study", "blocks": [{"task_type": BLOCK}]}

_MATERIAL: dict[str, Any] = {
    "Study": {
        **{key: StudyFields.model_fields[key].default for key in shown_at(Door.API)},
        "slug": "first",
        "title": "First study",
        "state": "open",
        "paused": False,
        "role": "owner",
        "overlap": 2,
        "revision": 12,
        "created_at": AT,
    },
    "Source": {
        "id": 1,
        "key": "s1",
        "claim": "",
        "verdict": "",
        "passages": [],
        "chains": [],
        "document": "It rained.",
        "query": "",
        "nuggets": [],
    },
    "Item": {
        "id": 1,
        "key": UNIT,
        "source": "s1",
        "system": "Alder",
        "system_family": "",
        "evidence_source": "",
        "condition": "",
        "sentences": [{"text": "It was wet."}],
    },
    "Unit": {
        "id": 1,
        "key": UNIT,
        "source": "s1",
        "items": [UNIT],
        "role": "normal",
        "subsets": ["sample"],
        "focus": {},
        "check_state": "not_needed",
        "retired_at": None,
    },
    "Question": {"id": 1, "unit": UNIT, "block": BLOCK, "payload": {}, "reference": None},
    "Round": {
        "id": 1,
        "position": 0,
        "name": "main",
        "counts": True,
        "shows_answers": False,
        "normal_per_batch": 5,
        "positive_per_batch": 1,
        "negative_per_batch": 1,
        "pass_accuracy": None,
        "keep_accuracy": None,
        "expected_minutes": 7,
        "base_pay": "1.00",
        "bonus_pay": "0.50",
        "currency": "USD",
    },
    "Added": {"items": 2},
    "Edited": {
        "changed": ["title"],
        "difference": ["-title: Study", "+title: First study"],
        "applied": True,
    },
}
_PEOPLE: dict[str, Any] = {
    "Answer": {
        "id": 1,
        "unit": UNIT,
        "block": BLOCK,
        "rater": "ann",
        "version": 1,
        "kind": "human",
        "replicate": 0,
        "answer": ANSWER,
        "round": None,
        "active_seconds": 12.5,
        "surplus": False,
        "excluded_reason": "",
        "superseded_at": None,
        "withdrawn_at": None,
        "created_at": AT,
    },
    "Rater": {
        "id": 1,
        "name": "ann",
        "version": 1,
        "kind": "human",
        "origin": "imported",
        "family": "",
    },
    "Invitation": {
        "id": 1,
        "link": f"{SITE}/join/…/",
        "personal": False,
        "round": None,
        "max_uses": 20,
        "uses": 3,
        "note": "Course A",
        "created_at": AT,
        "ended_at": None,
    },
    "ReportedProblem": {
        "id": 1,
        "unit": UNIT,
        "worker": "worker-3",
        "round": "main",
        "problem": "The second sentence is cut off.",
    },
    "Review": {
        "id": 1,
        "worker": "worker-3",
        "round": "main",
        "verdict": "open",
        "late": False,
        "comment": "",
        "feedback": "",
        "leased_at": AT,
        "submitted_at": AT,
    },
    "Event": {
        "id": 1,
        "at": AT,
        "by": "owner",
        "action": "study.opened",
        "subject": "",
        "detail": {},
    },
    "Decided": {"changed": [1]},
    "Stored": {
        "stored": 1,
        "present": 0,
        "refused": 0,
        "results": [{"index": 0, "status": "stored", "field": "", "detail": ""}],
    },
}
_MACHINES: dict[str, Any] = {
    "Judge": {
        "id": 1,
        "name": "lexical",
        "version": 1,
        "method": "lexical",
        "backend": "",
        "model": "",
        "family": "",
        "parameters": {},
        "created_at": AT,
    },
    "Run": {
        "id": 1,
        "judge": "lexical@1",
        "subset": "",
        "probe": False,
        "blocks": [BLOCK],
        "replicates": 1,
        "seed": 0,
        "state": "complete",
        "reason": "",
        "n_calls": 120,
        "max_cost": None,
        "spent": "0.000000",
        "code_version": "0.1.0",
        "created_at": AT,
        "ended_at": AT,
    },
    "Call": {
        "id": 1,
        "run": 1,
        "unit": UNIT,
        "block": BLOCK,
        "replicate": 0,
        "sample": 0,
        "status": "answered",
        "attempts": 1,
        "step": "",
        "prompt_hash": "2f1c",
        "request": {},
        "reply": "40",
        "error": "",
        "tokens_in": 210,
        "tokens_out": 1,
        "cost": "0.000210",
        "latency_ms": 800,
        "finished_at": AT,
    },
    "Export": {
        "id": 1,
        "format_name": "csv",
        "choice": {},
        "state": "done",
        "reason": "",
        "lines": 120,
        "size": 4096,
        "asked_at": AT,
        "ended_at": AT,
        "file": f"{STUDY}/exports/1/file/",
    },
    "Estimates": {
        "revision": 12,
        "outdated": False,
        "computed_at": AT,
        "estimates": [{"metric": "alpha", "value": 0.71}],
    },
}
_PAY: dict[str, Any] = {
    "Pay": {
        "covers": "all",
        "totals": [
            {
                "currency": "USD",
                "base": "10.00",
                "bonus": "1.00",
                "adjustment": "0.00",
                "total": "11.00",
                "filed": "4.00",
            }
        ],
        "owed": [
            {
                "panel": "prolific",
                "currency": "USD",
                "workers": 3,
                "total": "7.00",
                "unpayable": 0,
                "in_debt": 0,
            }
        ],
    },
    "PayFile": {
        "id": 1772359200000000,
        "made_at": AT,
        "panel": "prolific",
        "currency": "USD",
        "workers": 3,
        "total": "7.00",
        "file": f"{STUDY}/pay/files/1772359200000000/",
    },
    "LedgerRow": {
        "id": 1,
        "kind": "base",
        "amount": "1.00",
        "currency": "USD",
        "note": "",
        "exported_at": None,
        "created_at": AT,
    },
}
_MACHINES["RunProgress"] = {**_MACHINES["Run"], "n_done": 120}
_PAY |= {
    "PaidWorker": {"id": 3, "worker": "worker-3", "totals": _PAY["Pay"]["totals"]},
    "PayFiles": {"results": [_PAY["PayFile"]]},
    "Statement": {"worker": "worker-3", "rows": [_PAY["LedgerRow"]]},
}
_SENT: dict[str, Any] = {
    "NewStudyRequest": {"slug": "second", "title": "Second study", "task_type": BLOCK}
    | {"items": [RECORD]},
    "RecordsRequest": {"records": [RECORD]},
    "AnswersRequest": {"answers": [LINE]},
    "NewRunRequest": {"judge": "lexical", "max_cost": "2.50"},
    "NewInvitationsRequest": {"number": 1, "max_uses": 20, "note": "Course A"},
    "NewExportRequest": {"format": "csv"},
    "BatchesRequest": {"batches": [1]},
    "ExcludedBatchesRequest": {"batches": [1], "reason": "Clicked through in 20 seconds."},
    "FeedbackRequest": {"text": "Thank you. Please quote whole sentences."},
    "NewPayFileRequest": {"panel": "prolific", "currency": "USD", "covers": "all"},
    "AdjustmentRequest": {"amount": "0.50", "note": "For the minutes of the outage."},
}
PAYMENT_LINES = "5f1c0a,2.50\n"
EXAMPLES: dict[str, Any] = _MATERIAL | _PEOPLE | _MACHINES | _PAY | _SENT
