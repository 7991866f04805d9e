# A bad pattern raises re.error with the position.
import re

try:
    re.compile("(unclosed")
except re.error as error:
    print(error, error.pos, error.pattern)
# ---
re.match("[a", "a")
# ---
re.sub("(a)", r"\2", "a")
