# Calling sys.exit raises SystemExit, which can be caught and otherwise ends only its cell.
import sys


def main():
    print("working")
    sys.exit(3)
    print("never")


try:
    main()
except SystemExit as error:
    print("code", error.code)
try:
    1 / 0
except ZeroDivisionError:
    kind, value, _ = sys.exc_info()
    print(kind.__name__, value, sys.exception() is value)
# ---
sys.exit("stopped early")
# ---
"the session goes on"
