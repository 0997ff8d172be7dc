"""What `jurybox` prints by itself: its own commands, without those of Django."""

COMMANDS = {
    "On this machine": {
        "demo": "load the example study and start everything",
        "start": "start an installation of your own",
        "doctor": "say what is installed, what answers, what an upgrade does, what is unsafe",
        "check": "check a table of labels of people and judges; no study, no database",
        "mark": "let people mark a sample of a file blindly, and say how good its judge is",
        "mcp": "tools for a coding agent: check, mark, results; only reads unless you allow more",
    },
    "Studies": {
        "apply_study": "create or update a study from its file",
        "import_study": "import a study from files",
        "import_answers": "import answers into a study",
        "export_sheets": "write a spreadsheet per annotator",
        "import_sheets": "read filled-in spreadsheets",
        "prepare": "prepare the lists that questions are asked by",
        "propose_controls": "propose controls made of normal units",
        "generate": "have a chat model write explanations, or variants of items",
    },
    "Judges": {
        "judge": "let judges answer the questions of a study",
        "judge_runs": "list, pause, resume, cancel or compare runs",
        "probe_judge": "ask a judge the same units again, to see whether it drifts",
        "calibrate": "fit a judge's threshold",
        "judge_loop": "split a study's sources, and hold versions of a judge against people",
        "judge_card": "what a version of a judge is, and what it is worth for a task",
        "judge_index": "make a page of judges by tasks from a folder of bundles",
    },
    "Results": {
        "report": "print every estimate of a study",
        "export": "write a study as files",
    },
    "Accounts and data": {
        "backup": "write the database and its files into one archive, while all runs",
        "restore": "bring an empty installation to what a backup holds",
        "invite_colleague": "print a link by which one person makes an account",
        "password_link": "print a link by which an account gets a new password",
        "worker_data": "print or erase what is stored about a worker",
        "erase_expired": "erase what is kept no longer; runs every night by itself",
    },
}


def overview(version: str) -> str:
    """All commands in groups, one line each."""
    lines = [f"jurybox {version}: people and machines answer the same questions", ""]
    for title, commands in COMMANDS.items():
        lines += [title, *(f"  {name:<18}{text}" for name, text in commands.items()), ""]
    lines.append("jurybox COMMAND --help says more; jurybox help --commands names Django's, too.")
    return "\n".join(lines)
