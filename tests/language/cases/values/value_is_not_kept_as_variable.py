# The value of a cell leaves no variable behind; the documented log of prints is the only one a session adds.
before = set(globals())
print("ready")
# ---
123
# ---
sorted(name for name in set(globals()) - before if name.isidentifier() and name != "_print_outputs")
