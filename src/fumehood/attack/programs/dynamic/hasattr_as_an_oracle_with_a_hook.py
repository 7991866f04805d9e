# aim: let hasattr call a hook with the name it is about to read
# mechanism: __getattr__ of the program's is called with whatever name the guard passes on
# language: builtins
# reason: the hook may see its own name only, and nothing of the host
# jail: process
# plain: loot

import json


class Hook:
    def __getattr__(self, name):
        return json.dumps

    def __getattribute__(self, name):
        return object.__getattribute__(json.dumps, name)


loot(hasattr(Hook(), "__globals__") and Hook().__globals__)
