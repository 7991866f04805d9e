import io
import os


def tail(path, count):
    """The last lines of a file, read backwards in blocks."""
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        position, data = file.tell(), b""
        while position > 0 and data.count(b"\n") <= count:
            step = min(64, position)
            position -= step
            file.seek(position)
            data = file.read(step) + data
    return [line.decode() for line in data.splitlines()[-count:]]


with open("app.log", "w") as log:
    for number in range(200):
        print(f"line {number}", "ERROR" if number % 50 == 49 else "ok", file=log)
print(tail("app.log", 3))
with open("app.log") as log:
    errors = [number for number, line in enumerate(log, 1) if line.rstrip().endswith("ERROR")]
print(errors)
buffer = io.StringIO("one\ntwo\nthree\n")
print(buffer.readline(), buffer.tell(), list(buffer))
