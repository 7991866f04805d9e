# Follow modules from one to the next until one opens files.
# mechanism: dataclasses.inspect.os.open
# stopped by: view
# reason: a module found inside a module is a view or absent

import dataclasses

loot(dataclasses.inspect.os.open)
