# Import a forbidden module late, inside a function.
# mechanism: an import statement that runs later
# stopped by: check
# reason: imports are checked wherever they stand

def late():
    import subprocess

    return subprocess


loot(late())
