# aim: delete a forbidden name
# mechanism: a name in a del statement
# language: check
# reason: without __builtins__ in its globals, the next exec puts the real ones in
# jail: process
# plain: loot

__builtins__ = __builtins__
del __builtins__
# ---
loot(open)
