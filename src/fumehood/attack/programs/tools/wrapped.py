# aim: look for the host's function behind the stub
# mechanism: every attribute by which a wrapper may keep what it wraps
# language: builtins
# reason: a tool is a stub with nothing of the host in it
# jail: wire
# plain: loot

loot(fails)
for name in (
    "__wrapped__ __func__ __self__ __call__ func function fn _fn _function tool _tool forward _call call target wrapped"
    " __defaults__ __kwdefaults__ __dict__ __code__ __init__ __reduce__ __signature__ __annotations__ __class__ aio"
).split():
    try:
        found = getattr(loot, name)
        loot(found)
        for inner in ("__self__", "__func__", "__globals__", "__closure__", "__wrapped__"):
            loot(getattr(found, inner))
    except Exception:
        pass
