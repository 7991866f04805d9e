# aim: follow modules from one to the next until one opens files
# mechanism: dataclasses.inspect.os.open
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import dataclasses

loot(dataclasses.inspect.os.open)
