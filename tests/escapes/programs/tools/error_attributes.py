# Take an object of the host out of an attribute of a tool's error.
# mechanism: an attribute that the host's exception carries
# stopped by: run
# reason: errors of tools come back as ordinary exceptions with text

try:
    fails()
except Exception as error:
    loot(getattr(error, "obj", None))
    loot(dict(vars(error)))
