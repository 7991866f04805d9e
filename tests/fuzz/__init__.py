"""Fuzzing: inputs that nobody thought of, and what must be true of every one of them. `make fuzz`
runs the targets at length; the tests beside this file run each for a few seconds, with the same
inputs every time. What is generated and looked for: docs/security/fuzzing.md."""
