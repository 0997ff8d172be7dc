"""Tuning a judge for ten rounds, simulated: which intervals then hold its true agreement?

Each round tries a few wordings. A wording answers a share of all units anew, somewhat better or
worse in truth, and is kept if it is the nearest to people on the development half: so luck on that
half adds up over the rounds, and there alone. After every second round the version is looked at on
the sealed half. `python -m tests.agreement.sequences.tuning_rounds` prints the coverage.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from agreement import Bootstrap
from agreement.scores.shares import share_of
from agreement.sequences.spending import confidence_of_look

ERROR = 0.05
DEVELOPMENT, SEALED = 0, 1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """sources: of each half. per_source: its units, which share half of the variance of what makes
    them hard. tries: wordings of a round. changed: the share of units that one answers anew; base,
    spread: how often rightly. looks: planned, evenly over the rounds. by_sealed: the next round
    starts from the version with the best look so far."""

    studies: int
    sources: int = 60
    per_source: int = 1
    rounds: int = 10
    tries: int = 4
    changed: float = 0.2
    base: float = 0.7
    spread: float = 0.05
    looks: int = 5
    by_sealed: bool = False


@dataclass(frozen=True)
class Version:
    """truth: how often it agrees in all units that there could be. hits: (2, sources, per_source)
    whether it does, on both halves."""

    truth: float
    hits: Floats


@dataclass(frozen=True)
class Coverage:
    """Shares of studies in which an interval holds the truth: that of development of the version
    in the end, at 95 %; the last look's; those of all looks at once."""

    development: float
    last_look: float
    all_looks: float


def simulate(setting: Setting, *, seed: int) -> Coverage:
    """The coverage over many studies."""
    rng = np.random.default_rng(seed)
    held = np.array([_study(setting, rng) for _ in range(setting.studies)])
    return Coverage(*held.mean(axis=0).tolist())


def _study(setting: Setting, rng: np.random.Generator) -> tuple[bool, bool, bool]:
    hard = rng.normal(size=(2, setting.sources, 1))
    version = Version(setting.base, _answers(setting, setting.base, hard, rng))
    looked: list[tuple[float, bool, Version]] = []
    for round_ in range(1, setting.rounds + 1):
        tried = [version, *(_reworded(setting, version, hard, rng) for _ in range(setting.tries))]
        version = max(tried, key=lambda each: float(each.hits[DEVELOPMENT].mean()))
        if round_ % (setting.rounds // setting.looks) == 0:
            confidence = confidence_of_look(len(looked) + 1, setting.looks, ERROR)
            seen = float(version.hits[SEALED].mean())
            looked.append((seen, _holds(version, SEALED, confidence), version))
            if setting.by_sealed and round_ < setting.rounds:
                version = max(looked, key=lambda look: look[0])[2]
    held = [holds for _, holds, _ in looked]
    return _holds(version, DEVELOPMENT, 1 - ERROR), held[-1], all(held)


def _reworded(
    setting: Setting, version: Version, hard: Floats, rng: np.random.Generator
) -> Version:
    rightly = float(np.clip(setting.base + rng.normal(scale=setting.spread), 0.02, 0.98))
    anew = rng.random(version.hits.shape) < setting.changed
    hits = np.where(anew, _answers(setting, rightly, hard, rng), version.hits)
    truth = (1 - setting.changed) * version.truth + setting.changed * rightly
    return Version(truth, hits)


def _answers(setting: Setting, rightly: float, hard: Floats, rng: np.random.Generator) -> Floats:
    """Right with that probability, and rather together within a source of several units."""
    own = rng.normal(size=(2, setting.sources, setting.per_source))
    latent = own if setting.per_source == 1 else (hard + own) / np.sqrt(2)
    return (latent < NormalDist().inv_cdf(rightly)).astype(float)


def _holds(version: Version, half: int, confidence: float) -> bool:
    hits = version.hits[half]
    sources = np.repeat(np.arange(len(hits)), hits.shape[1])
    found = share_of(
        hits.ravel(),
        np.ones(hits.size),
        sources,
        Bootstrap(method="jackknife", confidence=confidence),
        missing_reason="none",
    )
    assert found.low is not None
    assert found.high is not None
    return found.low <= version.truth <= found.high


SETTINGS = {
    "60 sources": Setting(2000),
    "30 sources": Setting(2000, sources=30),
    "3 units of each source": Setting(2000, per_source=3),
    "agreement of 0.9": Setting(2000, base=0.9),
    "each goes on from the best look": Setting(2000, by_sealed=True),
}

if __name__ == "__main__":
    for name, setting in SETTINGS.items():
        found = simulate(setting, seed=6)
        print(
            f"{name}: development {found.development:.3f}, last look {found.last_look:.3f}, "
            f"all looks at once {found.all_looks:.3f}"
        )
