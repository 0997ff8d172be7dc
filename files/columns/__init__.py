"""What the columns of a table hold: the one place that decides it, by names and by contents.

Reading the files is `files.readers`' work, and what is made of the rows that of whoever asked.
"""
