# aim: hide a forbidden import behind an authorized one
# mechanism: try: import … except ImportError: import …
# language: check
# reason: imports are checked wherever they stand
# jail: process
# plain: loot

try:
    import nothing_of_this_name
except ImportError:
    import subprocess
loot(subprocess)
