# Text and byte streams in memory are read, written, sought and iterated.
import io
from io import BytesIO, StringIO

text = StringIO("first\nsecond\nthird")
print(text.readline(), [line.rstrip() for line in text], text.read() == "")
text.seek(0)
print(text.read(3), text.tell(), text.readlines())
with io.StringIO() as out:
    out.write("total: ")
    print(5, "items", file=out, sep="-")
    out.writelines(["a\n", "b\n"])
    result = out.getvalue()
print(repr(result), out.closed)
raw = BytesIO(b"\x00\x01\x02\x03")
raw.seek(-2, io.SEEK_END)
print(raw.read(), raw.getvalue(), raw.seek(1), raw.read(1))
raw.truncate(2)
wrapped = io.TextIOWrapper(BytesIO("é\r\nb".encode()), encoding="utf-8", newline=None)
print(list(wrapped), len(raw.getbuffer()))
try:
    out.write("late")
except ValueError as error:
    print(error)
StringIO("a,b").read().split(",")
