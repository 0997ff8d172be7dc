"""What a coding agent may ask for over the Model Context Protocol (docs/agents.md)."""

from pathlib import Path

# When to use what: for agents that know no tools but commands, and for the server itself.
SKILL = Path(__file__).with_name("SKILL.md")
