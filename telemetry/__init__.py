"""What an operator sees of running processes: lines of the log, counters, traces."""
