import gzip
import io
import os

with gzip.open("log.txt.gz", "wt", encoding="utf-8") as file:
    for number in range(1000):
        file.write(f"request {number % 10} ok\n")
print(os.path.getsize("log.txt.gz") < 5000, open("log.txt.gz", "rb").read(2) == b"\x1f\x8b")
with gzip.open("log.txt.gz", "rt") as file:
    print(sum("7" in line for line in file))
packed = gzip.compress(b"abc" * 100, mtime=0)
print(len(packed), gzip.decompress(packed)[:6])
with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
    file.seek(290)
    print(file.read())
try:
    gzip.decompress(b"not gzip")
except gzip.BadGzipFile as error:
    print(error)
