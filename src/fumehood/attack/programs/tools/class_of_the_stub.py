# aim: make a stub of the program's own with the class of a tool
# mechanism: type() of a tool, called
# language: run
# reason: the class of tools cannot be used to make others
# jail: wire
# plain: loot

kind = type(loot)
for arguments in (("loot",), (loot,), ("fails", {}), (fails, "name"), ()):
    try:
        loot(kind(*arguments))
    except Exception:
        pass
loot(kind)
loot(loot)
