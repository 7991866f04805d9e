"""A small shell for sandboxes in which no program can be executed: each is a function of ours.
docs/commands.md says what it knows."""
