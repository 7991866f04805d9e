# The value of a loop is found inside a branch, a handler and a with block.
# value: 6
from contextlib import nullcontext

try:
    raise KeyError
except KeyError:
    with nullcontext([1, 2, 3]) as numbers:
        total = 0
        if numbers:
            for n in numbers:
                total += n
