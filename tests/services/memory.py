"""How much memory a process holds."""

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_mib() -> float:
    """The most that this process has ever held. What Linux reports as `ru_maxrss` begins with the
    size of the process that started this one."""
    if STATUS.exists():
        [peak] = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(peak.split()[1]) / 1024
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak_bytes / (1024**2 if sys.platform == "darwin" else 1024)
