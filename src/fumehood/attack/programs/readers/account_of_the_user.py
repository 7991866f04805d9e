# aim: learn who the host's users are
# mechanism: pwd.getpwall
# language: check
# reason: the policy does not authorize pwd
# jail: mount namespace
# plain: loot
import pwd
loot("mutated: the accounts are seen") if pwd.getpwall() else None
