# aim: read a file with the path class that a command line program imported
# mechanism: json.tool.Path is a class, not a module
# language: view
# reason: command line programs inside packages open files
# jail: mount namespace, landlock
# plain: loot
# python: 3.12 and older

import json.tool

loot(json.tool.Path(secret_path).read_text())
