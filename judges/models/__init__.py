"""Judges, their runs, and every request that the runs made."""

from judges.models.caches import CachedReply, RetrievedPage
from judges.models.calls import BatchJob, Call
from judges.models.judges import Judge
from judges.models.probes import DriftCheck, ProbeAnswer, ProbeSet
from judges.models.runs import Chunk, ChunkQuerySet, JudgeRun

__all__ = [
    "BatchJob",
    "CachedReply",
    "Call",
    "Chunk",
    "ChunkQuerySet",
    "DriftCheck",
    "Judge",
    "JudgeRun",
    "ProbeAnswer",
    "ProbeSet",
    "RetrievedPage",
]
