# aim: read the frames of the host out of a tool's error
# mechanism: __traceback__.tb_next and a computed name
# language: builtins
# reason: errors of tools come back without the host's frames
# jail: wire
# plain: loot

try:
    fails()
except Exception as error:
    trace = error.__traceback__
    while trace is not None:
        loot(getattr(trace, "tb_fr" + "ame"))
        trace = trace.tb_next
