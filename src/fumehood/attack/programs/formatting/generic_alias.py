# aim: take the raw format method from an object that stands for a string
# mechanism: types.GenericAlias(str, (int,)) answers with the attributes of what it was made of
# language: guard
# reason: the object that an attribute access returned is checked, not its owner
# jail: process
# plain: loot

import types

loot(types.GenericAlias(str, (int,)).format)
