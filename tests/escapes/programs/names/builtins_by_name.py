# Read the builtins under the name every frame can see.
# mechanism: the name __builtins__
# stopped by: check
# reason: those are the real builtins, open and eval among them

loot(__builtins__)
