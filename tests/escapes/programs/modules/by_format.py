# Print the environment through a module inside a module by a template.
# mechanism: str.format on a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import contextlib

loot('{0.os.environ}'.format(contextlib))
