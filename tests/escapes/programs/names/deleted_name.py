# Delete a forbidden name.
# mechanism: a name in a del statement
# stopped by: check
# reason: without __builtins__ in its globals, the next exec puts the real ones in

__builtins__ = __builtins__
del __builtins__
# ---
loot(open)
