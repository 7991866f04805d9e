import os
import re
from pathlib import Path


def rename_photos(folder: Path) -> dict[str, str]:
    """Rename IMG_1.JPG, img 2.jpeg and the like to photo-001.jpg."""
    renamed = {}
    for path in sorted(folder.iterdir()):
        match = re.search(r"(\d+)\.jpe?g$", path.name, re.IGNORECASE)
        if match:
            target = path.with_name(f"photo-{int(match[1]):03}.jpg")
            path.rename(target)
            renamed[path.name] = target.name
    return renamed


folder = Path("photos")
folder.mkdir()
for name in ["IMG_1.JPG", "img 2.jpeg", "Scan12.jpg", "notes.txt"]:
    (folder / name).write_bytes(name.encode())
for old, new in rename_photos(folder).items():
    print(f"{old} -> {new}")
print(sorted(os.listdir(folder)))
print((folder / "photo-012.jpg").read_bytes())
