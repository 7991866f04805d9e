# aim: learn what is in a file without reading it
# mechanism: filecmp.cmp with files made by guessing
# language: check
# reason: the policy does not authorize filecmp
# jail: mount namespace, landlock
# plain: loot
import filecmp
loot("mutated: files can be compared") if filecmp.cmp(secret_path, secret_path, shallow=False) else None
