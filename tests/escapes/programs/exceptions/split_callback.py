# Read frames in the callback that splits a group.
# mechanism: ExceptionGroup.split calls a function with every exception
# stopped by: check
# reason: a frame leads to the variables of every caller

try:
    raise ExceptionGroup("", [ValueError()])
except ExceptionGroup as group:
    group.split(lambda error: loot(error.__traceback__.tb_frame) if error.__traceback__ else False)
