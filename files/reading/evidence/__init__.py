"""What the first rows of tables and the names of columns and files say."""
