# aim: import a forbidden module late, inside a function
# mechanism: an import statement that runs later
# language: check
# reason: imports are checked wherever they stand
# jail: process
# plain: loot

def late():
    import subprocess

    return subprocess


loot(late())
