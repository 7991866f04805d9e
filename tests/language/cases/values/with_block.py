# The value is found at the end of a with block.
# value: 'HELLO'
import io

with io.StringIO("hello") as stream:
    text = stream.read()
    text.upper()
