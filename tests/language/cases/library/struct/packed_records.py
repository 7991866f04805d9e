# Records are packed into bytes and unpacked again.
import struct
from struct import Struct, calcsize, pack, unpack

print(pack("<HI", 1, 2), unpack(">hb", b"\xff\xfe\x05"), calcsize("<iqd"))
header = Struct("!4sBH")
data = header.pack(b"RIFF", 2, 513)
print(data, header.unpack(data), header.size)
print(list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")), struct.unpack_from("<B", data, 4))
room = bytearray(4)
struct.pack_into(">H", room, 1, 258)
print(room, pack("f", 1.5) == pack("<f", 1.5) or pack(">f", 1.5) == pack("f", 1.5))
try:
    pack("B", 300)
except struct.error as error:
    print(error)
unpack("<e?", pack("<e?", 0.5, True))
