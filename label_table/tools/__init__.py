"""Results files of evaluation tools, as tables of labels: `label_table.results` reads them."""
