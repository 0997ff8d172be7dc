"""How long the request under way waited for a thread, as the web server tells."""

from contextvars import ContextVar

# In seconds; 0 where nobody tells, as in tests and under other servers.
waited: ContextVar[float] = ContextVar("waited", default=0.0)
