"""Writing in the background: what is asked for, what it would take, and the jobs that do it."""
