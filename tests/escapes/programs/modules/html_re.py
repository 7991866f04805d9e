# Take the module _re out of html.
# mechanism: an attribute of html that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import html

loot(html._re)
