import tempfile
from pathlib import Path


def build_site(pages):
    """Write pages to a temporary directory and return their sizes."""
    with tempfile.TemporaryDirectory(prefix="site-") as folder:
        root = Path(folder)
        for name, text in pages.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"<html>{text}</html>")
        sizes = {str(path.relative_to(root)): path.stat().st_size for path in sorted(root.rglob("*.html"))}
    return sizes, root.exists()


print(build_site({"index.html": "home", "blog/one.html": "first", "blog/two.html": "second post"}))
outer = tempfile.TemporaryDirectory()
inner = tempfile.mkdtemp(dir=outer.name)
print(Path(inner).parent == Path(outer.name))
outer.cleanup()
print(Path(inner).exists())
