# Read a file.
# mechanism: open
# stopped by: builtins
# reason: open is not among the builtins

loot(open(secret_path).read())
