import atexit
import sys

print("checking")
try:
    if len("abc") != 4:
        sys.exit(3)
finally:
    print("cleaning up")
