"""Which columns of a table hold answers, to what and in which form."""
