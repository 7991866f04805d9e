# Hide a forbidden import behind an authorized one.
# mechanism: try: import … except ImportError: import …
# stopped by: check
# reason: imports are checked wherever they stand

try:
    import nothing_of_this_name
except ImportError:
    import subprocess
loot(subprocess)
