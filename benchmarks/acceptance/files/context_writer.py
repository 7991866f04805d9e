"""Write a file atomically: either the whole new text or the old one."""
import contextlib
import os


@contextlib.contextmanager
def atomic_write(path):
    temporary = f"{path}.tmp"
    file = open(temporary, "w")
    try:
        yield file
    except BaseException:
        file.close()
        os.unlink(temporary)
        raise
    else:
        file.flush()
        os.fsync(file.fileno())
        file.close()
        os.replace(temporary, path)


with atomic_write("state.txt") as out:
    out.write("version 1\n")
try:
    with atomic_write("state.txt") as out:
        out.write("version 2\n")
        raise RuntimeError("power cut")
except RuntimeError as error:
    print("failed:", error)
print(open("state.txt").read().strip(), sorted(name for name in os.listdir() if name.startswith("state")))
