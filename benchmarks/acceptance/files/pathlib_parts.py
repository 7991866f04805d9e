from pathlib import Path, PurePosixPath, PureWindowsPath

path = PurePosixPath("/srv/data/archive.tar.gz")
print(path.parts, path.suffixes, path.stem, path.parent, path.anchor)
print(path.with_suffix(".zip"), path.with_name("x.txt"), path.relative_to("/srv"))
print(path.match("*.gz"), path.is_absolute(), PurePosixPath("a/../b") / "/etc")
windows = PureWindowsPath(r"C:\Users\ann\file.txt")
print(windows.drive, windows.as_posix(), windows.name)
work = Path("work")
work.mkdir()
print(work.exists(), work.is_dir(), list(work.iterdir()))
note = work / "note.txt"
print(note.write_text("hello"), note.stat().st_size, note.read_text())
link = work / "link.txt"
link.symlink_to("note.txt")
print(link.is_symlink(), link.read_text(), link.resolve().name, link.readlink())
note.unlink()
print(link.exists(), link.is_symlink())
try:
    work.rmdir()
except OSError as error:
    print(error.strerror)
