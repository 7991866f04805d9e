"""Programs that try to leave the guarded language, and the machinery that shows each of them fails
to.

corpus.py reads the programs, attempt.py runs one plainly and one guarded, attempt_server.py gives
every run a process of its own, loot.py judges what was obtained, host_state.py compares the host
before and after.
"""
