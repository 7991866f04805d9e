import io
import json
import zipfile

buffer = io.BytesIO()
with zipfile.ZipFile(buffer, "w") as archive:
    archive.writestr("meta.json", json.dumps({"version": 2}))
    archive.writestr("data/values.csv", "x,y\n1,2\n")
    with archive.open("data/big.txt", "w") as member:
        for number in range(5):
            member.write(f"{number}\n".encode())
print(len(buffer.getvalue()) > 100)
with zipfile.ZipFile(buffer, "a") as archive:
    archive.writestr("late.txt", "added")
    archive.comment = b"made by a test"
with zipfile.ZipFile(io.BytesIO(buffer.getvalue())) as archive:
    print(archive.comment, json.load(archive.open("meta.json")))
    with archive.open("data/big.txt") as member:
        print(io.TextIOWrapper(member).read().split())
    root = zipfile.Path(archive)
    print(sorted(path.name for path in root.iterdir()), (root / "late.txt").read_text())
