# aim: walk over everything that dir() finds on a tool
# mechanism: dir(), getattr and vars() on a tool and its class
# language: builtins
# reason: a tool is a stub with nothing of the host in it
# jail: wire
# plain: loot

for thing in (loot, type(loot), fails):
    for name in dir(thing):
        try:
            loot(getattr(thing, name))
        except Exception:
            pass
    try:
        loot(dict(vars(thing)))
    except Exception:
        pass
