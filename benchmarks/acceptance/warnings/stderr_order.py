import sys

print("one")
print("two", file=sys.stderr)
sys.stdout.write("three\n")
sys.stderr.write("four\n")
print("five", "six", sep="-", end="!\n", file=sys.stderr)
sys.stdout.flush()
print(*range(3), sep="\n")
sys.stderr.writelines(["seven\n", "eight\n"])
sys.__stdout__.write("nine\n")
sys.__stdout__.flush()
import os

os.write(1, b"ten\n")
