# aim: take a class of the import machinery out of a library module
# mechanism: classes that a module imported for itself: dataclasses.FunctionType, functools.RLock
# language: view
# reason: what a module imported is not what it offers
# jail: process
# plain: loot

import dataclasses

loot(dataclasses.inspect.currentframe())
