"""Questions that are decided by hand: the queue, the page of a case, audits and gold answers."""
