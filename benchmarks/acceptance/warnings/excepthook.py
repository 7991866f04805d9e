import sys
import traceback


def hook(kind, error, trace):
    print(f"hook: {kind.__name__}: {error}")
    print("frames:", [frame.name for frame in traceback.extract_tb(trace)])


def handle(function):
    try:
        function()
    except Exception:
        hook(*sys.exc_info())


def bad_index():
    return [1, 2][5]


def bad_call():
    return len(5)


def bad_attribute():
    return (1).upper


for function in (bad_index, bad_call, bad_attribute):
    handle(function)
print(sys.excepthook is not None)
try:
    import json as j

    j.dump
    j.dmups
except AttributeError as error:
    print(error.name, error)
