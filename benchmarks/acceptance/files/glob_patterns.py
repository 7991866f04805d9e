import glob
import os
from pathlib import Path

for year in (2022, 2023):
    for month in (1, 2, 11):
        path = Path("logs", str(year), f"app-{month:02}.log")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{year}-{month}\n" * month)
Path("logs/README.md").touch()

print(sorted(glob.glob("logs/2023/*.log")))
print(sorted(glob.glob("logs/**/*.log", recursive=True)))
print(sorted(glob.glob("app-0?.log", root_dir="logs/2022")))
print(sorted(str(path.relative_to("logs")) for path in Path("logs").rglob("*1.log")))
with os.scandir("logs") as entries:
    for entry in sorted(entries, key=lambda entry: entry.name):
        print(entry.name, "dir" if entry.is_dir() else "file")
largest = max(Path("logs").rglob("*.log"), key=lambda path: (path.stat().st_size, str(path)))
print(largest.name, largest.suffix, largest.stem, largest.parent.name)
