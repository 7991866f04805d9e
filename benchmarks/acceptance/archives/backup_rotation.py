import os
import shutil
import tarfile
from datetime import date, timedelta


def backup(source, folder, day, keep=3):
    """Make a dated backup and delete the oldest beyond `keep`."""
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, f"backup-{day:%Y%m%d}.tar.gz")
    with tarfile.open(target, "w:gz") as archive:
        archive.add(source, arcname=os.path.basename(source))
    made = sorted(os.listdir(folder))
    for name in made[:-keep]:
        os.remove(os.path.join(folder, name))
    return target


os.mkdir("documents")
day = date(2024, 2, 27)
for number in range(5):
    with open(f"documents/{number}.txt", "w") as file:
        file.write("text " * number)
    target = backup("documents", "backups", day + timedelta(days=number))
print(sorted(os.listdir("backups")))
shutil.rmtree("documents")
with tarfile.open(target) as archive:
    archive.extractall(filter="data")
print(sorted(os.listdir("documents")), os.path.getsize("documents/4.txt"))
