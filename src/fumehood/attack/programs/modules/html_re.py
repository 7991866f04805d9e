# aim: take the module _re out of html
# mechanism: an attribute of html that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import html

loot(html._re)
