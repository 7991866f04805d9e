# Take the module re out of textwrap.
# mechanism: an attribute of textwrap that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import textwrap

loot(textwrap.re)
