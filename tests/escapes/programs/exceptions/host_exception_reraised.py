# Raise the exception that the host is handling once more, and catch it.
# mechanism: a bare raise outside any handler of the program's
# stopped by: run
# reason: what the host is handling is not for the code it runs

try:
    raise
except BaseException as error:
    loot(error.args)
