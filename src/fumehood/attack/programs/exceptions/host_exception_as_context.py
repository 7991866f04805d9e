# aim: take the exception that the host is handling out of the context of a new one
# mechanism: an exception raised while another is handled is chained to it, across the host's frames
# language: run
# reason: what the host is handling is not for the code it runs
# jail: process
# plain: loot

try:
    1 / 0
except ZeroDivisionError as error:
    while error is not None:
        loot(error.args)
        error = error.__context__
