# aim: take the module re out of urllib.parse
# mechanism: an attribute of urllib.parse that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import urllib.parse

loot(urllib.parse.re)
