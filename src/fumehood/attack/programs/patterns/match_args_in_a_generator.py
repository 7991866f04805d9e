# aim: put the positional pattern into a function, a generator and an asynchronous function
# mechanism: function bodies of every kind
# language: guard
# reason: every positional class pattern is guarded, in any scope
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


def generator():
    match json.dumps:
        case Pattern(found):
            yield found


async def coroutine():
    match json.dumps:
        case Pattern(found):
            loot(found)


for attempt in (lambda: loot(next(generator())), lambda: coroutine().send(None)):
    try:
        attempt()
    except Exception:
        pass
