"""Machine raters, their runs, and every request that was made on the way."""

from judges.models.calls import BatchJob, Call
from judges.models.judges import Judge
from judges.models.kept import CachedReply, RetrievedPage
from judges.models.runs import Chunk, ChunkQuerySet, Heartbeat, JudgeRun

__all__ = [
    "BatchJob",
    "CachedReply",
    "Call",
    "Chunk",
    "ChunkQuerySet",
    "Heartbeat",
    "Judge",
    "JudgeRun",
    "RetrievedPage",
]
