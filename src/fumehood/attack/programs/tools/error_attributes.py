# aim: take an object of the host out of an attribute of a tool's error
# mechanism: an attribute that the host's exception carries
# language: run
# reason: errors of tools come back as ordinary exceptions with text
# jail: wire
# plain: loot

try:
    fails()
except Exception as error:
    loot(getattr(error, "obj", None))
    loot(dict(vars(error)))
