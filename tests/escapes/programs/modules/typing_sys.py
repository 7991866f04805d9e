# Take the module sys out of typing.
# mechanism: an attribute of typing that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import typing

loot(typing.sys)
