# aim: let the interpreter's licence printer read a file
# mechanism: license keeps the names of the files it shows in an attribute
# language: builtins
# reason: the helpers of the interactive prompt are not among the builtins
# jail: mount namespace, landlock
# plain: loot

try:
    license._Printer__filenames = [secret_path]
    license._Printer__lines = None
    license._Printer__setup()
    loot(license._Printer__lines)
except NameError:
    pass
