# aim: keep a view of memory that is freed when a buffered writer goes away
# mechanism: BufferedWriter hands its buffer to write of a raw stream of the program's
# language: view
# reason: a view of freed memory reads and writes the memory of the process
# jail: process
# plain: loot

import io

kept = []


class Raw(io.RawIOBase):
    def writable(self):
        return True

    def write(self, view):
        kept.append(view)
        return len(view)


writer = io.BufferedWriter(Raw())
writer.write(b"text")
writer.flush()
del writer
if kept and isinstance(kept[0], memoryview) and len(kept[0]):
    loot("mutated: memory that belongs to nobody can be written")
kept.clear()
