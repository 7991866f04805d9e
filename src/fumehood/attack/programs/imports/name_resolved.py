# aim: have the library find an object by its full name
# mechanism: pkgutil.resolve_name
# language: check
# reason: the policy does not authorize pkgutil
# jail: process
# plain: loot
import pkgutil
loot(pkgutil.resolve_name("os:system"))
