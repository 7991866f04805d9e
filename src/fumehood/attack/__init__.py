"""The attack suite: programs that try to get out, as data, and what runs them against a sandbox and
tells what became of them.

`programs/` has one file per program, in a folder per category (categories.py); their header is
described in corpus.py. `fumehood attack` and the tests run the same programs by the same means:
what a user is shown about a machine is what the tests hold us to.
"""
