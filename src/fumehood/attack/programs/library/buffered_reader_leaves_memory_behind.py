# aim: keep a view of memory that is freed when a buffered reader goes away
# mechanism: BufferedReader hands its buffer to readinto of a raw stream of the program's
# language: view
# reason: a view of freed memory reads and writes the memory of the process
# jail: process
# plain: loot

import io

kept = []


class Raw(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, view):
        kept.append(view)
        return 0


reader = io.BufferedReader(Raw())
reader.read(1)
del reader
if kept and len(kept[0]):
    loot("mutated: memory that belongs to nobody can be written")
kept.clear()
