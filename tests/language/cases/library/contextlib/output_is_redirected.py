# Output is redirected into a text buffer with redirect_stdout.
import io
from contextlib import redirect_stdout

buffer = io.StringIO()
with redirect_stdout(buffer):
    print("inside", end="")
    print("!", sep="")
print("outside", repr(buffer.getvalue()))
buffer.getvalue().upper()
