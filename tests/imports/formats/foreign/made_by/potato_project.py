"""Writes `potato/` with Potato's own server: `python potato_project.py OUT`.

Three people sign in and post answers as its page does; then its report on agreement is printed.
"""

import json
import os
import sys
from pathlib import Path

import yaml

ITEMS = [
    {"id": "ferry", "text": "The ferry leaves at nine. It is never late."},
    {"id": "tram", "text": "The tram stops at midnight."},
    {"id": "mill", "text": "The mill was sold. Nobody knows to whom. It stands empty."},
    {"id": "pier", "text": "The pier is closed."},
]
CONFIG = {
    "annotation_task_name": "Notices",
    "task_dir": ".",
    "output_annotation_dir": "annotation_output/",
    "output_annotation_format": "jsonl",
    "data_files": ["items.jsonl"],
    "item_properties": {"id_key": "id", "text_key": "text"},
    "user_config": {"allow_all_users": True, "users": []},
    "require_password": False,
    "secret_key": "of no server",
    "assignment_strategy": "fixed_order",
    "num_annotators_per_item": 3,
    "annotation_schemes": [
        {
            "annotation_type": "radio",
            "name": "tone",
            "description": "What is its tone?",
            "labels": ["plain", "glad", "angry"],
        },
        {
            "annotation_type": "likert",
            "name": "clarity",
            "description": "How clear is it?",
            "min_label": "not at all",
            "max_label": "fully",
            "size": 5,
        },
        {
            "annotation_type": "multiselect",
            "name": "topics",
            "description": "What is it about?",
            "labels": ["transport", "building", "time"],
        },
        {
            "annotation_type": "span",
            "name": "facts",
            "description": "Mark facts.",
            "labels": ["fact", "guess"],
        },
        {"annotation_type": "text", "name": "comment", "description": "Anything else?"},
    ],
}
# Per person and item: tone, clarity, topics, spans.
ANSWERS = {
    "ann": {
        "ferry": ("plain", 5, ["transport", "time"], [(0, 25, "fact"), (26, 43, "guess")]),
        "tram": ("plain", 4, ["transport", "time"], [(0, 27, "fact")]),
        "mill": ("plain", 3, ["building"], [(0, 18, "fact")]),
        "pier": ("angry", 5, ["building"], []),
    },
    "bob": {
        "ferry": ("glad", 4, ["transport"], [(0, 25, "fact")]),
        "tram": ("plain", 4, ["transport"], [(0, 27, "fact")]),
        "mill": ("plain", 2, ["building"], [(0, 18, "fact"), (41, 57, "fact")]),
    },
    "cleo": {
        "ferry": ("plain", 5, ["time"], []),
        "tram": ("glad", 4, ["transport"], [(0, 27, "fact")]),
        "mill": ("angry", 2, ["building", "time"], [(0, 18, "fact")]),
    },
}


def main(out: Path) -> None:
    out.mkdir(parents=True)
    (out / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    (out / "config.yaml").write_text(yaml.safe_dump(CONFIG, sort_keys=False))
    os.chdir(out)
    from potato.flask_server import create_app

    app = create_app("config.yaml")
    for user, answers in ANSWERS.items():
        client = app.test_client()
        client.post("/auth", data={"email": user, "pass": ""})
        client.get("/annotate")
        for item, (tone, clarity, topics, spans) in answers.items():
            texts = {entry["id"]: entry["text"] for entry in ITEMS}
            annotations = {f"tone:{tone}": tone, f"clarity:{clarity}": str(clarity)}
            annotations |= {f"topics:{topic}": topic for topic in topics}
            if item == "pier":
                annotations["comment:text_box"] = "Since spring."
            marked = [
                {
                    "schema": "facts", "name": label, "title": label,
                    "start": start, "end": end, "value": texts[item][start:end],
                }
                for start, end, label in spans
            ]  # fmt: skip
            reply = client.post(
                "/updateinstance",
                json={
                    "instance_id": item,
                    "annotations": annotations,
                    "cleared_schemas": [],
                    "span_annotations": marked,
                    "response_time_seconds": 2.0,
                },
            )
            assert reply.status_code == 200
    from potato.server_utils.iaa import compute_overlap_iaa
    from potato.server_utils.iaa.dispatcher import json_safe
    from potato.item_state_management import get_item_state_manager
    from potato.user_state_management import get_user_state_manager

    report = compute_overlap_iaa(
        item_state_manager=get_item_state_manager(),
        user_state_manager=get_user_state_manager(),
        config=CONFIG,
    )
    print(json.dumps(json_safe(report), indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
