import hashlib
import os
from collections import defaultdict


def digest(path, block=4096):
    result = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(block):
            result.update(chunk)
    return result.hexdigest()


def duplicates(root):
    by_digest = defaultdict(list)
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            by_digest[digest(path)].append(os.path.relpath(path, root))
    return sorted(sorted(paths) for paths in by_digest.values() if len(paths) > 1)


os.makedirs("data/deep/er")
contents = {"a.txt": "same", "deep/b.txt": "same", "deep/er/c.txt": "same", "d.txt": "other",
            "deep/e.bin": "x" * 10000, "f.bin": "x" * 10000}
for name, text in contents.items():
    with open(os.path.join("data", name), "w") as file:
        file.write(text)
for group in duplicates("data"):
    print(group)
