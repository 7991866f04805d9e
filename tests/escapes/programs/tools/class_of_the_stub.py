# Make a stub of the program's own with the class of a tool.
# mechanism: type() of a tool, called
# stopped by: run
# reason: the class of tools cannot be used to make others

kind = type(loot)
for arguments in (("loot",), (loot,), ("fails", {}), (fails, "name"), ()):
    try:
        loot(kind(*arguments))
    except Exception:
        pass
loot(kind)
loot(loot)
