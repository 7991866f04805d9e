# aim: read frames in the callback that splits a group
# mechanism: ExceptionGroup.split calls a function with every exception
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

try:
    raise ExceptionGroup("", [ValueError()])
except ExceptionGroup as group:
    group.split(lambda error: loot(error.__traceback__.tb_frame) if error.__traceback__ else False)
