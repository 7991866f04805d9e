import os
import shutil
from pathlib import Path

Path("in/sub").mkdir(parents=True)
for name in ("one.txt", "two.dat", "sub/three.txt"):
    Path("in", name).write_text(name)
shutil.copy("in/one.txt", "copied.txt")
shutil.copytree("in", "out", ignore=shutil.ignore_patterns("*.dat"))
print(sorted(str(path) for path in Path("out").rglob("*")))
moved = shutil.move("copied.txt", "out/sub")
print(moved, Path("copied.txt").exists())
archive = shutil.make_archive("packed", "zip", "in")
print(os.path.basename(archive))
shutil.unpack_archive("packed.zip", "unpacked")
print(sorted(str(path.relative_to("unpacked")) for path in Path("unpacked").rglob("*.txt")))
usage = shutil.disk_usage(".")
print(usage.total >= usage.used, usage.free > 0)
try:
    shutil.copytree("in", "out")
except FileExistsError as error:
    print("exists:", error.filename)
