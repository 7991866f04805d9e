# aim: print the environment through a module inside a module by a template
# mechanism: str.format on a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import contextlib

loot('{0.os.environ}'.format(contextlib))
