# aim: write things that are no text to the stream of the cell
# mechanism: sys.stdout.write with hostile arguments
# language: run
# reason: the log holds exact text
# jail: wire
# plain: none (whether the host runs the methods is what is tested)

import sys


class Text(str):
    def __str__(self):
        raise SystemExit("while the log was written")

    __len__ = __add__ = __radd__ = encode = splitlines = __str__


for thing in (Text("text"), b"bytes", 7, None):
    try:
        sys.stdout.write(thing)
    except Exception:
        pass
