"""Work on pages that takes the processor: in a thread of its own, one page at a time.

A page that is made to be hard to read may take seconds, and hundreds of megabytes. The event loop
goes on meanwhile, and so does looking up names, which has threads of its own.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_READER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")


async def apart(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` gives in that thread."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_READER, partial(work, *args, **kwargs))
