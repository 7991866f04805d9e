# aim: read the builtins under the name every frame can see
# mechanism: the name __builtins__
# language: check
# reason: those are the real builtins, open and eval among them
# jail: process
# plain: loot

loot(__builtins__)
