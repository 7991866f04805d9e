# Print into a file of the host.
# mechanism: print with an opened file
# stopped by: builtins
# reason: open is not among the builtins

print('text', file=open(scratch_path, 'w'), flush=True)
