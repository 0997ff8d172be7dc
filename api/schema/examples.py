"""An example for each body that operations take or answer, by the name of its component."""

from collections.abc import Mapping
from typing import Any

from imports.study_file.doors import Door
from imports.study_file.study_fields import StudyFields, shown_at
from tasktypes.registry import PUBLISHED_BLOCKS, TASK_TYPES

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
# An entry of a list about a source, one that also chooses among a few words.
_FIELDS = next(
    made.fields
    for kind in TASK_TYPES
    for made in kind.prepared_lists
    if made.about == "source" and any(field.choices for field in made.fields)
)
ENTRY = {field.name: (*field.choices, "It rained.")[0] for field in _FIELDS}
LINE = {"unit": UNIT, "rater": "ann", "kind": "human", "answer": ANSWER}
# The keys of a study file.
FILE = {"slug": "first", "title": "First study", "blocks": [{"task_type": BLOCK}]}
# How a table is read.
READING = {
    "tables": [
        {
            "files": ["wet.csv"],
            "columns": [
                {"column": "text", "holds": "text"},
                {"column": "rater", "holds": "rater"},
                {"column": "fluency", "holds": "answer", "at": {"criterion": "fluency"}},
            ],
        }
    ],
    "answers": [{"criterion": "fluency", "low": 1, "high": 5}],
}

# Of what is answered, the fields whose values tell something; the others get plain ones.
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
    },
    "Source": {"key": "s1", "passages": [], "chains": [], "document": "It rained.", "nuggets": []},
    "Item": {"key": UNIT, "source": "s1", "system": "Alder"}
    | {"sentences": [{"text": "It was wet."}]},
    "Unit": {"key": UNIT, "source": "s1", "items": [UNIT], "subsets": ["sample"]},
    "Question": {"unit": UNIT, "block": BLOCK, "reference": None},
    "Round": {"position": 0, "name": "main", "counts": True, "normal_per_batch": 5}
    | {"expected_minutes": 7, "base_pay": "1.00", "bonus_pay": "0.50", "currency": "USD"},
    "Added": {"items": 2},
    "ReadFiles": {"sentence": "Three texts, one person: 3 answers.", "reading": READING}
    | {"counts": {"units": 3}, "questions": [], "remarks": []},
    "Edited": {"changed": ["title"], "applied": True}
    | {"difference": ["-title: Study", "+title: First study"]},
}
_PEOPLE: dict[str, Any] = {
    "Answer": {"unit": UNIT, "block": BLOCK, "rater": "ann", "kind": "human", "replicate": 0}
    | {"answer": ANSWER, "active_seconds": 12.5},
    "Rater": {"name": "ann", "origin": "imported"},
    "Invitation": {"link": f"{SITE}/join/…/", "max_uses": 20, "uses": 3, "note": "Course A"},
    "ReportedProblem": {"unit": UNIT, "worker": "worker-3", "round": "main"}
    | {"problem": "The second sentence is cut off."},
    "Review": {"worker": "worker-3", "round": "main", "submitted_at": AT},
    "Event": {"by": "owner", "action": "study.opened"},
    "Decided": {"changed": [1]},
    "Stored": {"stored": 1, "present": 0, "refused": 0},
    "Line": {"index": 0},
}
_MACHINES: dict[str, Any] = {
    "Judge": {"name": "lexical", "method": "lexical"},
    "Run": {"judge": "lexical@1", "blocks": [BLOCK], "seed": 0, "state": "complete"}
    | {"n_calls": 120, "spent": "0.000000", "code_version": "0.1.0", "ended_at": AT},
    "Call": {"unit": UNIT, "block": BLOCK, "replicate": 0, "sample": 0, "status": "answered"}
    | {"prompt_hash": "2f1c", "reply": "40", "tokens_in": 210, "cost": "0.000210"}
    | {"tokens_out": 1, "latency_ms": 800, "finished_at": AT},
    "Export": {"format_name": "csv", "state": "done", "lines": 120, "size": 4096}
    | {"ended_at": AT, "file": f"{STUDY}/exports/1/file/"},
    "Estimates": {"revision": 12, "computed_at": AT}
    | {"estimates": [{"metric": "alpha", "value": 0.71}]},
}
_MACHINES["WritingPlan"] = {"calls": 40, "tokens_in": 9000, "tokens_out": 8000} | {
    "expected_usd": "0.042000",
    "cap": "2.500000",
    "shares": [{"system": "Larch", "model": "m", "number": 40, "existing": 0, "left_out": []}],
}
_MACHINES["Writing"] = {"kind": "write_texts", "title": "Writing texts", "about": "Larch (m)"} | {
    "state": "done",
    "done": 40,
    "total": 40,
    "spent": "0.039100",
    "ended_at": AT,
}
_MACHINES["RunProgress"] = {**_MACHINES["Run"], "n_done": 120}
_PAY: dict[str, Any] = {
    "Pay": {"covers": "all"},
    "Totals": {"currency": "USD", "base": "10.00", "bonus": "1.00", "total": "11.00"}
    | {"filed": "4.00"},
    "Owed": {"panel": "prolific", "currency": "USD", "workers": 3, "total": "7.00"}
    | {"unpayable": 0, "in_debt": 0},
    "PayFile": {"id": 1772359200000000, "panel": "prolific", "currency": "USD", "workers": 3}
    | {"total": "7.00", "file": f"{STUDY}/pay/files/1772359200000000/"},
    "PayFiles": {},
    "LedgerRow": {"amount": "1.00", "currency": "USD"},
    "PaidWorker": {"id": 3, "worker": "worker-3"},
    "Statement": {"worker": "worker-3"},
}
_DATA: dict[str, Any] = {
    "Job": {"kind": "exclusion", "title": "Excluding answers", "state": "done"}
    | {"said": "2 batches are excluded now. You can undo this at any time."},
    "UnitAction": {"kind": "retire", "n_units": 1, "done": 1, "changed": 1, "by": "owner"}
    | {"confirmed_at": AT, "ended_at": AT},
    "SavedView": {"name": "Controls", "query": "role=positive", "by": "owner"},
    "Control": {"key": "i1/positive", "source": "s1", "role": "positive", "round": "main"}
    | {"check_state": "validated", "made_from": UNIT},
    "List": {"block": BLOCK, "source": "s1", "entries": [], "version": 1},
    "Exclusion": {"conditions": {"seconds": 2}, "text": "median of less than 2 s per answer"}
    | {"by": "owner"},
    "Preview": {"seen": "2f1c7b52a0d4e6f8", "batches": 1, "answers": 5}
    | {"workers": [{"worker": "worker-3", "reasons": ["1.4 s per answer"]}]},
    "Case": {"unit": "", "block": BLOCK, "why": "disagreement", "score": 0.8},
    "Gold": {
        "unit": UNIT,
        "block": BLOCK,
        "answer": ANSWER,
        "reason": "It says so.",
        "by": "owner",
    },
    "GoldOutcome": {"state": "done"},
    "Taken": {"said": "3 lists: 3 proposed"},
    "Number": {"number": 3},
    "Link": {"link": f"{SITE}/return/…/"},
    "Member": {"username": "colleague", "role": "viewer"},
    "Colleague": {"role": "editor", "email": "colleague@example.org", "mailed": True}
    | {"by": "owner"},
    "Worker": {"id": 3, "worker": "worker-3", "round": "main"},
    "Seat": {"id": 1, "name": "Ann", "worker": "worker-1", "done": 10, "of": 40},
    "Team": {"unassigned": 0},
    "Alert": {"kind": "judges", "title": "Judges fail", "message": "12 of 40 calls failed."},
    "Subscription": {"by_email": True, "kinds": ["budget_spent"]},
    "Tested": {"sent": True},
    "Webhook": {"study": "first", "url": "https://example.org/hook", "events": ["run.finished"]},
    "Delivery": {"key": "2f1c7b52-8f0e-4a53-9d57-0b6d7c1f2a3b", "study": "first"}
    | {"event": "run.finished"}
    | {"state": "done", "status": 204, "tries": 1},
    "ResultsLink": {"link": f"{SITE}/shared/…/"},
    "Registration": {"sha256": "2f1c…", "answers": 0},
    "StopRule": {"rule": {"metric": "mean_difference", "raters": "humans", "excludes": 0}},
    "Sheet": {"sections": [{"key": "system", "title": "The system", "answers": []}]},
    "Import": {"title": "From a tool", "slug": "from-a-tool", "format": "potato"}
    | {"state": "done", "rows": 120, "made": True, "ended_at": AT},
    "Trial": {"unit": UNIT, "prompts": {"": "How good is this text?"}, "calls": 1}
    | {"expected_usd": "0.000210"},
    "Calibrated": {"threshold": 0.42},
    "DriftCheck": {"run": 9, "look": 1, "found": False},
    "ProbeSet": {"judge": "lexical@1", "size": 50, "every_days": 7},
    "Split": {"seed": 7, "share": 0.5, "planned_looks": 5, "error": 0.05}
    | {"development": 40, "sealed": 40},
    "Look": {"judge": "lexical@1", "look": 1, "planned_looks": 5, "error_spent": 0.0148}
    | {"figures": [{"facet": "utility", "value": 0.82, "low": 0.71, "high": 0.9}]},
    "Version": {"judge": "words@2", "look": 1}
    | {"figures": [{"facet": "utility", "value": 0.88, "people": 0.9}]},
    "Flips": {"before": "words@1", "now": "words@2", "both": 40, "nearer": 9, "farther": 2}
    | {"units_nearer": [{"unit": "42/gpt4", "before": 0.5, "now": 1.0}], "units_farther": []},
}
_DATA |= {
    "ExclusionPreview": _DATA["Exclusion"],
    "CaseWithAnswers": {**_DATA["Case"], "question": {}}
    | {"answers": [{"letter": "A", "answer": ANSWER, "summary": "40", "rater": "", "kind": ""}]},
    "InvitedColleague": {**_DATA["Colleague"], "mailed": False} | {"link": f"{SITE}/invitation/…/"},
    "WebhookWithSecret": {**_DATA["Webhook"], "secret": "…"},
    "Tried": {**_DATA["Trial"], "replies": ["40"], "answer": ANSWER, "usd": "0.000210"},
}
_SENT: dict[str, Any] = {
    "NewStudyRequest": {"slug": "second", "title": "Second study", "task_type": BLOCK}
    | {"items": [RECORD]},
    "FilesRequest": {"files": ["text,rater,fluency\nIt was wet.,ann,4\n"]},
    "NewResultsRequest": {"title": "Wet texts", "slug": "wet-texts", "reading": READING},
    "RecordsRequest": {"records": [RECORD]},
    "AnswersRequest": {"answers": [LINE]},
    "NewRunRequest": {"judge": "lexical", "max_cost": "2.50"},
    "NewWritingRequest": {"kind": "explanation", "writers": [{"model": "m", "system": "Larch"}]}
    | {"parameters": {"evidence": "human"}, "max_cost": "2.50"},
    "NewInvitationsRequest": {"number": 1, "max_uses": 20, "note": "Course A"},
    "NewExportRequest": {"format": "csv"},
    "BatchesRequest": {"batches": [1]},
    "ExcludedBatchesRequest": {"batches": [1], "reason": "Clicked through in 20 seconds."},
    "FeedbackRequest": {"text": "Thank you. Please quote whole sentences."},
    "NewPayFileRequest": {"panel": "prolific", "currency": "USD", "covers": "all"},
    "NewActionRequest": {"kind": "retire", "query": "role=normal"},
    "NewViewRequest": {"name": "Controls", "query": "role=positive"},
    "ProposalRequest": {"round": "main", "positive": 1},
    "CheckRequest": {"valid": True},
    "PromotionRequest": {"unit": UNIT, "kind": "positive", "round": "main"},
    "PicksRequest": {"role": "example"}
    | {"picks": [{"unit": UNIT, "answers": {BLOCK: ANSWER}, "reasons": "It says so."}]},
    "PutBackRequest": {"unit": UNIT},
    "NewListRequest": {"block": BLOCK, "item": UNIT},
    "EntriesRequest": {"version": 0, "entries": [ENTRY]},
    "VersionRequest": {"version": 0},
    "ListsRequest": {"lists": [{"block": BLOCK, "item": UNIT, "entries": ["It rained."]}]},
    "ConditionsRequest": {"seconds": 2},
    "SeenRequest": {"seen": "2f1c7b52a0d4e6f8"},
    "ContestedRequest": {"most": 50},
    "AuditRequest": {"block": BLOCK, "size": 100, "seed": 1},
    "DecisionRequest": {"answer": ANSWER, "reason": "It says so."},
    "ReasonRequest": {"reason": "Nobody can tell."},
    "WhyRequest": {"reason": "Clicked through in 20 seconds."},
    "LostLinkRequest": {"external_id": "first"},
    "NewMemberRequest": {"username": "colleague", "role": "reviewer"},
    "RoleRequest": {"role": "owner"},
    "NewColleagueRequest": {"role": "editor"},
    "NamesRequest": {"names": {"1": "Ann"}},
    "SettlingRequest": {"to": "others"},
    "ReleaseRequest": {"round": "main"},
    "TableRequest": {"table": "member,unit\n1,i1\n"},
    "NewSubscriptionRequest": {"by_email": True, "kinds": ["budget_spent"]},
    "AddressRequest": {"url": "https://example.org/hook", "events": ["run.finished"]},
    "EventsRequest": {"events": ["run.finished"]},
    "NewRegistrationRequest": {"reason": "A question was worded anew."},
    "NewStopRuleRequest": {"rule": {}},
    "SheetPartRequest": {"part": "system", "answers": {}},
    "AgainRequest": {"leave_out": True},
    "DeletionRequest": {"slug": "first"},
    "DefinitionRequest": {"name": "words", "method": "lexical"},
    "TrialOfRequest": {"name": "words", "method": "lexical"},
    "TakeRequest": {"judge": 1},
    "FamiliesRequest": {"families": {}},
    "CalibrationRequest": {"share": 0.5},
    "ScheduleRequest": {"every_days": 7},
    "NewProbeSetRequest": {"size": 2},
    "NewSplitRequest": {"seed": 7},
    "NewLookRequest": {"judge": "lexical"},
    "ImportedFilesRequest": {"format": "potato", "title": "From a tool"} | {"file": ["{}"]},
    "AdjustmentRequest": {"amount": "0.50", "note": "For the minutes of the outage."},
}
PAYMENT_LINES = "5f1c0a,2.50\n"
TEAM_TABLE = "member,round,unit,position\n1,main,i1,1\n"
EXAMPLES: dict[str, Any] = _MATERIAL | _PEOPLE | _MACHINES | _PAY | _DATA | _SENT

# Of a field without a type, any JSON.
_PLAIN = {"string": "", "integer": 1, "number": 0, "boolean": False, "array": []}
_OF_FORMAT = {"date-time": AT, "decimal": "0.00"}
_REF = "#/components/schemas/"


def example_of(name: str, components: Mapping[str, Any]) -> Any:
    """The example of a component; None where nothing is told of it."""
    if name not in EXAMPLES or name.endswith("Request"):
        return EXAMPLES.get(name)
    fields = components[name].get("properties", {})
    return {field: _plain(schema, components) for field, schema in fields.items()} | EXAMPLES[name]


def _plain(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """A value of a field of which nothing is told."""
    kind = schema.get("type", "")
    if "null" in kind or {"type": "null"} in schema.get("oneOf", ()):
        return None
    if "$ref" in schema:
        return example_of(schema["$ref"].removeprefix(_REF), components)
    if "$ref" in schema.get("items", {}):
        return [_plain(schema["items"], components)]
    if "enum" in schema:
        return schema["enum"][0]
    return _OF_FORMAT.get(schema.get("format", "")) or _PLAIN.get(kind, {})
