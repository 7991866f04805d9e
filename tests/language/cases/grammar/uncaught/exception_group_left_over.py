# What except* did not handle ends the program.
try:
    raise ExceptionGroup("mixed", [ValueError("v"), KeyError("k"), ValueError("w")])
except* ValueError as group:
    print("handled", len(group.exceptions))
