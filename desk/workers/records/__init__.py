"""What the answers of workers say about how they work: one module per figure.

Every figure takes the ids of participations and reads them all in a constant number of queries.
"""

from desk.workers.records.record import Record, records_of

__all__ = ["Record", "records_of"]
