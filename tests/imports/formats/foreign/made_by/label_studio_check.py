"""Checks an export for Label Studio by its SDK: `python label_studio_check.py FOLDER`.

Every annotation and prediction must fit the interface, and its converter must read every task.
"""

import csv
import json
import sys
import tempfile
from pathlib import Path

from label_studio_sdk.converter import Converter
from label_studio_sdk.label_interface import LabelInterface


def main(folder: Path) -> None:
    config = (folder / "label_config.xml").read_text(encoding="utf-8")
    interface = LabelInterface(config)
    interface.validate()
    tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    annotations = [made for task in tasks for made in task["annotations"]]
    predictions = [made for task in tasks for made in task["predictions"]]
    assert all(interface.validate_annotation({"result": made["result"]}) for made in annotations)
    for made in predictions:
        named = {"model_version": made["model_version"], "result": made["result"]}
        assert interface.validate_prediction(named)
    out = Path(tempfile.mkdtemp())
    converter = Converter(config, str(folder), download_resources=False)
    files = {"sep": ",", "header": True, "is_dir": False}
    converter.convert_to_csv(str(folder / "tasks.json"), str(out), **files)
    with (out / "result.csv").open(encoding="utf-8") as stream:
        rows = len(list(csv.DictReader(stream)))
    print(f"{len(tasks)} tasks, {len(annotations)} annotations, {rows} rows of the converter")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
