# aim: take an object of the host out of the cause of a tool's error
# mechanism: __cause__ and __context__
# language: run
# reason: errors of tools come back as ordinary exceptions with text
# jail: wire
# plain: loot

try:
    fails()
except Exception as error:
    for linked in (error.__cause__, error.__context__):
        if linked is not None:
            loot(linked.args)
