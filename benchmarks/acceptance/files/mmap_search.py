import mmap
import os

with open("genome.txt", "wb") as file:
    file.write(b"ACGT" * 2000 + b"GATTACA" + b"TGCA" * 2000)
with open("genome.txt", "r+b") as file, mmap.mmap(file.fileno(), 0) as view:
    where = view.find(b"GATTACA")
    print(len(view), where, view[where : where + 7])
    view[where : where + 7] = b"gattaca"
    view.flush()
    print(view.rfind(b"ACGT"), view[:4])
with open("genome.txt", "rb") as file:
    print(file.read().count(b"gattaca"))
with mmap.mmap(-1, 64) as anonymous:
    anonymous.write(b"scratch")
    anonymous.seek(0)
    print(anonymous.read(7))
os.truncate("genome.txt", 10)
print(os.path.getsize("genome.txt"))
