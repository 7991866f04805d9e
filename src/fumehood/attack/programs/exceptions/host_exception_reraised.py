# aim: raise the exception that the host is handling once more, and catch it
# mechanism: a bare raise outside any handler of the program's
# language: run
# reason: what the host is handling is not for the code it runs
# jail: process
# plain: loot

try:
    raise
except BaseException as error:
    loot(error.args)
