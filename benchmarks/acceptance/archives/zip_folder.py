import os
import zipfile
from pathlib import Path


def zip_folder(folder, target):
    """Pack all files of a folder, in order of their names."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(Path(folder).rglob("*")):
            archive.write(path, path.relative_to(folder))


os.makedirs("src/pkg")
for name in ("a.txt", "pkg/b.txt", "pkg/c.txt"):
    Path("src", name).write_text(name * 50)
zip_folder("src", "src.zip")
with zipfile.ZipFile("src.zip") as archive:
    print(archive.namelist(), archive.testzip())
    info = archive.getinfo("pkg/b.txt")
    print(info.file_size, info.compress_size < info.file_size)
    print(archive.read("a.txt")[:10])
    archive.extractall("out")
print(Path("out/pkg/c.txt").read_text() == "pkg/c.txt" * 50, zipfile.is_zipfile("src.zip"))
try:
    zipfile.ZipFile(Path("src/a.txt"))
except zipfile.BadZipFile as error:
    print(error)
