# aim: use the hook behind square brackets on a class
# mechanism: __class_getitem__ with the name as argument
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

class Reader:
    def __class_getitem__(cls, item):
        return getattr(*item)


import json

loot(Reader[json.dumps, "__globals__"])
