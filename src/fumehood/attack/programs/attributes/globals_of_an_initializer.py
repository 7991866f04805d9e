# aim: read the namespace behind the constructor of a library class
# mechanism: __init__ may be named, what hangs on it may not
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import textwrap

loot(textwrap.TextWrapper.__init__.__globals__)
