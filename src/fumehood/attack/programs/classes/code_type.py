# aim: make a code object from bytes
# mechanism: types.CodeType
# language: view
# reason: code made from bytes is code that no check has seen
# jail: process
# plain: loot

import types

loot(types.CodeType)
