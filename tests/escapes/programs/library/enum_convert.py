# Let enum collect anything from the namespace of a library module.
# mechanism: Enum._convert_ takes the name of a module in sys.modules
# stopped by: check
# reason: _convert_ reads and writes the namespace of any loaded module

import enum

Found = enum.Enum._convert_("Found", "json", lambda name: name == "codecs")
loot(Found.codecs.value)
