# aim: import the file opener of pandas from below the module that is left out
# mechanism: from pandas.io.common import get_handle
# language: check
# reason: what is below a module that is left out is left out too
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

from pandas.io.common import get_handle

loot(get_handle(secret_path, "r").handle.read())
