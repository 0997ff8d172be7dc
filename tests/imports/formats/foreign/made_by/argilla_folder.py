"""Writes `argilla/` with Argilla's own SDK and prints what it counts:
`python argilla_folder.py OUT`.

There is no server: its HTTP client gets an empty answer, and writes the files by itself.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from uuid import UUID

import argilla as rg
import httpx
from argilla.records._io import GenericIO, JsonIO

USERS = [UUID(int=number) for number in (11, 12, 13)]
PROMPT = "What is the tallest mountain of the Alps?"
# Per record: the answer, then per user verdict, clarity, flaws and spans of claims.
RECORDS = {
    "peak-1": (
        "Mont Blanc is the tallest one. I like it very much.",
        [("supported", 5, [], [(0, 30, "fact"), (31, 51, "opinion")])] * 2
        + [("supported", 4, ["vague"], [(0, 30, "fact")])],
    ),
    "peak-2": (
        "It is the Matterhorn. Nobody climbs it.",
        [("refuted", 4, ["wrong"], [(0, 21, "fact")]), ("refuted", 2, ["wrong", "vague"], [])],
    ),
    "peak-3": (
        "Look it up yourself.",
        [("unclear", 1, ["rude"], []), ("refuted", 2, ["rude", "wrong"], [])],
    ),
    "peak-4": ("Mont Blanc, with 4,806 metres.", [("supported", 5, [], [(0, 29, "fact")])]),
}


def main(out: Path) -> None:
    rg.Argilla._default_client = client()
    records = [record(key, *of) for key, of in RECORDS.items()]
    records.append(rg.Record(id="peak-5", fields={"prompt": PROMPT, "response": "A mountain."}))
    settings().to_json(out / ".argilla" / "settings.json")
    # What `Dataset.to_disk` calls, and `Dataset.records.to_list` below.
    JsonIO.to_json(records=records, path=out / "records.json")
    rows = GenericIO.to_dict(records, flatten=True)
    submitted = [
        value
        for values, states in zip(rows["clarity.responses"], rows["clarity.responses.status"])
        for value, state in zip(values or (), states or ())
        if state == "submitted"
    ]
    verdicts = Counter(value for values in rows["verdict.responses"] for value in values or ())
    print(json.dumps({"clarity": submitted, "mean": sum(submitted) / len(submitted), **verdicts}))


def settings() -> rg.Settings:
    return rg.Settings(
        guidelines="Judge the answer.",
        fields=[rg.TextField(name="prompt"), rg.TextField(name="response")],
        questions=[
            rg.LabelQuestion(name="verdict", labels=["supported", "refuted", "unclear"]),
            rg.RatingQuestion(name="clarity", values=[1, 2, 3, 4, 5]),
            rg.MultiLabelQuestion(name="flaws", labels=["vague", "wrong", "rude"]),
            rg.SpanQuestion(name="claims", field="response", labels=["fact", "opinion"]),
            rg.TextQuestion(name="comment", required=False),
        ],
        metadata=[rg.TermsMetadataProperty(name="topic")],
    )


def record(key: str, text: str, answers: list) -> rg.Record:
    responses = []
    for user, (verdict, clarity, flaws, spans) in zip(USERS, answers):
        claims = [{"start": s, "end": e, "label": label} for s, e, label in spans]
        given = {"verdict": verdict, "clarity": clarity, "flaws": flaws, "claims": claims}
        responses += [rg.Response(q, v, user, status="submitted") for q, v in given.items()]
    if key == "peak-4":
        responses.append(rg.Response("verdict", "refuted", USERS[1], status="draft"))
        responses.append(rg.Response("comment", "Well put.", USERS[0], status="submitted"))
    first = answers[0]
    suggestions = [
        rg.Suggestion("verdict", first[0], agent="checker-1", score=0.9),
        rg.Suggestion("clarity", min(5, first[1] + 1), agent="checker-1"),
    ]
    fields = {"prompt": PROMPT, "response": text}
    about = {"metadata": {"topic": "alps"}, "responses": responses, "suggestions": suggestions}
    return rg.Record(id=key, fields=fields, **about)


def client() -> rg.Argilla:
    """A client whose every request is answered with the user that it signs in as."""
    user = {"username": "maker", "role": "owner", "first_name": "maker"}
    httpx.HTTPTransport.handle_request = lambda self, request: httpx.Response(200, json=user)
    return rg.Argilla(api_url="http://localhost", api_key="none")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
