import os
from pathlib import Path

from PIL import Image, UnidentifiedImageError


def thumbnails(source, target, size=(32, 32)):
    """Make a thumbnail of each image; returns what was done and what was not."""
    target.mkdir(exist_ok=True)
    done, failed = [], []
    for path in sorted(source.iterdir()):
        try:
            with Image.open(path) as image:
                image.thumbnail(size)
                image.convert("RGB").save(target / f"{path.stem}.jpg", quality=80)
            done.append((path.name, image.size))
        except UnidentifiedImageError:
            failed.append(path.name)
    return done, failed


source = Path("photos")
source.mkdir()
for name, size in (("wide.png", (200, 50)), ("tall.png", (30, 300)), ("small.png", (10, 10))):
    Image.new("RGBA", size, (0, 128, 255, 128)).save(source / name)
(source / "notes.txt").write_text("not an image")
print(thumbnails(source, Path("thumbs")))
print(sorted(os.listdir("thumbs")))
