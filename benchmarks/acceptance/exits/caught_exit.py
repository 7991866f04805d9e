import sys


def run(code):
    try:
        sys.exit(code)
    except SystemExit as error:
        return error.code


print([run(code) for code in (None, 0, 1, "text", True)])
try:
    raise SystemExit
except BaseException as error:
    print(type(error).__name__, isinstance(error, Exception), error.code)


class Stop(SystemExit):
    pass


try:
    raise Stop(9)
except SystemExit as error:
    print("stopped", error.code)
raise SystemExit("end of the program")
