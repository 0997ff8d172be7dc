"""Workers' records: what their answers say about how they work, one module per figure.

Every figure takes the ids of participations, and the number of its queries is constant.
"""

from desk.worker_records.record import Record, records_of

__all__ = ["Record", "records_of"]
