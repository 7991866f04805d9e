import io
import os
import tarfile
from pathlib import Path

Path("logs").mkdir()
for number in range(3):
    Path("logs", f"{number}.log").write_text(f"entry {number}\n" * 100)
for mode, name in (("w", "plain.tar"), ("w:gz", "logs.tar.gz"), ("w:bz2", "logs.tar.bz2"), ("w:xz", "logs.tar.xz")):
    with tarfile.open(name, mode) as archive:
        archive.add("logs")
    with tarfile.open(name) as archive:
        print(name, len(archive.getmembers()), tarfile.is_tarfile(name), os.path.getsize(name) < 12000)
with tarfile.open("logs.tar.gz") as archive:
    print(sorted(archive.getnames()))
    print(archive.extractfile("logs/1.log").readline())
    archive.extractall("restored", filter="data")
print(sorted(os.listdir("restored/logs")))
with tarfile.open("made.tar", "w") as archive:
    info = tarfile.TarInfo("virtual.txt")
    info.size, info.mtime = 5, 0
    archive.addfile(info, io.BytesIO(b"hello"))
print(tarfile.open("made.tar").extractfile("virtual.txt").read())
