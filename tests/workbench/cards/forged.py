"""A bundle in which somebody changed a text, and the sums that vouch for it."""

import hashlib
import json
import zipfile
from pathlib import Path

MANIFEST = "MANIFEST.json"


def forge(path: Path, ending: str, before: str, after: str) -> None:
    """In every file whose name ends so, as whoever forges it well would."""
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    manifest = next(name for name in texts if name.endswith(MANIFEST))
    folder, sums = manifest.removesuffix(MANIFEST), json.loads(texts[manifest])
    found = [name for name in texts if name.endswith(ending) and before in texts[name]]
    assert found
    for name in found:
        texts[name] = texts[name].replace(before, after)
        digest = hashlib.sha256(texts[name].encode()).hexdigest()
        sums[name.removeprefix(folder)] = digest
    texts[manifest] = json.dumps(sums)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
