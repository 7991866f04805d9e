import tempfile

with tempfile.SpooledTemporaryFile(max_size=20, mode="w+") as spool:
    spool.write("short")
    print(spool._rolled)
    spool.write(" but now much longer than twenty characters")
    print(spool._rolled)
    spool.seek(0)
    print(spool.read())
with tempfile.TemporaryFile() as file:
    print(file.write(b"0123456789"), file.seek(-4, 2), file.read())
    file.truncate(3)
    file.seek(0)
    print(file.read())
handle, path = tempfile.mkstemp(text=True)
import os

os.write(handle, b"raw")
os.close(handle)
print(open(path).read(), oct(os.stat(path).st_mode & 0o777))
os.remove(path)
