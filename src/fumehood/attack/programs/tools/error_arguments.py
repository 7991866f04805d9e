# aim: take an object of the host out of the error of a tool
# mechanism: args of the exception
# language: run
# reason: errors of tools come back as ordinary exceptions with text
# jail: wire
# plain: loot

try:
    fails()
except Exception as error:
    loot([argument for argument in error.args if not isinstance(argument, str)])
