import getopt
import sys


def parse(arguments):
    try:
        options, rest = getopt.gnu_getopt(arguments, "ho:v", ["help", "output="])
    except getopt.GetoptError as error:
        return f"error: {error}"
    return dict(options), rest


print(parse(["-o", "out.txt", "-v", "file1", "--help", "file2"]))
print(parse(["--output=x", "--", "-v"]))
print(parse(["-z"]))
print(parse(sys.argv[1:]))
