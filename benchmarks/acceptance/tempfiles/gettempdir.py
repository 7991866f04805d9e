import os
import tempfile
from pathlib import Path

root = Path(tempfile.gettempdir())
print(root.is_dir(), os.access(root, os.W_OK), root.is_absolute())
path = root / "scratch-acceptance.txt"
path.write_text("x" * 100)
print(path.stat().st_size, path.name in os.listdir(root))
path.unlink()
with tempfile.TemporaryDirectory() as folder:
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = None
    print(tempfile.gettempdir() == folder)
    with tempfile.NamedTemporaryFile() as file:
        print(os.path.dirname(file.name) == folder)
tempfile.tempdir = None
del os.environ["TMPDIR"]
print(tempfile.gettempprefix(), tempfile.gettempdir() != folder)
