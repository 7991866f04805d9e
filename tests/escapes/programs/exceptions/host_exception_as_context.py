# Take the exception that the host is handling out of the context of a new one.
# mechanism: an exception raised while another is handled is chained to it, across the host's frames
# stopped by: run
# reason: what the host is handling is not for the code it runs

try:
    1 / 0
except ZeroDivisionError as error:
    while error is not None:
        loot(error.args)
        error = error.__context__
