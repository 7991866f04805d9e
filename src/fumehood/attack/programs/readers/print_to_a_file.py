# aim: print into a file of the host
# mechanism: print with an opened file
# language: builtins
# reason: open is not among the builtins
# jail: mount namespace, landlock
# plain: loot

print('text', file=open(scratch_path, 'w'), flush=True)
