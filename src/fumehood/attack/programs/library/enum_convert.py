# aim: let enum collect anything from the namespace of a library module
# mechanism: Enum._convert_ takes the name of a module in sys.modules
# language: check
# reason: _convert_ reads and writes the namespace of any loaded module
# jail: process
# plain: loot

import enum

Found = enum.Enum._convert_("Found", "json", lambda name: name == "codecs")
loot(Found.codecs.value)
