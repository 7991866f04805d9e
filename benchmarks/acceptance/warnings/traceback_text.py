import sys
import traceback


def inner(value):
    return 10 / value


def outer():
    return inner(0)


try:
    outer()
except ZeroDivisionError as error:
    traceback.print_exc()
    text = traceback.format_exc()
    print(text.splitlines()[0], text.splitlines()[-1])
    frames = traceback.extract_tb(error.__traceback__)
    print([(frame.name, frame.line) for frame in frames])
    print(traceback.format_exception_only(error))
    kind, value, trace = sys.exc_info()
    print(kind.__name__, value, trace.tb_lineno > 0)
try:
    raise ValueError("bad") from KeyError("cause")
except ValueError:
    print(traceback.format_exc().count("Traceback"))
summary = traceback.TracebackException(TypeError, TypeError("t"), None)
print("".join(summary.format()))
