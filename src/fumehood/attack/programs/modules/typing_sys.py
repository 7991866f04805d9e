# aim: take the module sys out of typing
# mechanism: an attribute of typing that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import typing

loot(typing.sys)
