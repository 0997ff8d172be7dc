"""Writes `huggingface/` with the library `datasets`, as `push_to_hub` lays a dataset out, loads it
again and prints what it counts: `python huggingface_folder.py OUT`."""

import json
import sys
from collections import Counter
from pathlib import Path

from datasets import ClassLabel, Dataset, Features, List, Value, load_dataset
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard, DatasetCardData

ROWS = [
    ("1", "Does the ferry sail?", "It sails at nine. So they say.", "larch", 1, [0], 0.9),
    ("2", "Does the ferry sail?", "No.", "birch", 0, [], 0.2),
    ("3", "Who owns the mill?", "Nobody knows.", "larch", 2, [0, 1], 0.5),
    ("4", "Who owns the mill?", "The town owns it.", "birch", 1, [], 0.7),
]
NAMES = ("id", "question", "answer", "model", "verdict", "flaws", "length")
FEATURES = Features(
    {
        **{name: Value("string") for name in NAMES[:4]},
        "verdict": ClassLabel(names=["refuted", "supported", "unclear"]),
        "flaws": List(ClassLabel(names=["vague", "short"])),
        "length": Value("float64"),
    }
)


def main(out: Path) -> None:
    columns = {name: [row[at] for row in ROWS] for at, name in enumerate(NAMES)}
    dataset = Dataset.from_dict(columns, features=FEATURES)
    path = "data/train-00000-of-00001.parquet"
    (out / "data").mkdir(parents=True)
    dataset.to_parquet(out / path)
    card = DatasetCardData()
    DatasetInfosDict({"default": dataset.info}).to_dataset_card_data(card)
    files = {"data_files": [{"split": "train", "path": "data/train-*"}]}
    MetadataConfigs({"default": files}).to_dataset_card_data(card)
    DatasetCard(f"---\n{card}\n---\n\n# Ferries and mills\n").save(out / "README.md")
    loaded = load_dataset(str(out), split="train")
    verdict = loaded.features["verdict"]
    print(json.dumps(Counter(verdict.int2str(value) for value in loaded["verdict"])))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
