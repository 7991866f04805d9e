# aim: take the module re out of textwrap
# mechanism: an attribute of textwrap that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import textwrap

loot(textwrap.re)
