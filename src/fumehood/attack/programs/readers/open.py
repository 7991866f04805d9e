# aim: read a file
# mechanism: open
# language: builtins
# reason: open is not among the builtins
# jail: mount namespace, landlock
# plain: loot

loot(open(secret_path).read())
