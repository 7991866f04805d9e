# aim: take the module bltns out of enum
# mechanism: an attribute of enum that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import enum

loot(enum.bltns)
