"""How files are read: what each column or key holds, how files join, and which words mean which
answers. A reading is proposed from what the files hold, changed by whoever imports, and kept."""
