import os
import struct

RECORD = struct.Struct("<I10sd")


def append(path, number, name, value):
    with open(path, "ab") as file:
        file.write(RECORD.pack(number, name.encode().ljust(10, b"\0"), value))


def read_record(path, index):
    with open(path, "rb") as file:
        file.seek(index * RECORD.size)
        number, name, value = RECORD.unpack(file.read(RECORD.size))
    return number, name.rstrip(b"\0").decode(), value


for number, (name, value) in enumerate([("alpha", 1.5), ("beta", -2.25), ("gamma", 1e10)]):
    append("records.bin", number, name, value)
print(os.path.getsize("records.bin") // RECORD.size, "records of", RECORD.size, "bytes")
print(read_record("records.bin", 2))
with open("records.bin", "r+b") as file:
    file.seek(RECORD.size)
    file.write(RECORD.pack(99, b"changed", 0.5))
print(read_record("records.bin", 1))
try:
    read_record("records.bin", 7)
except struct.error as error:
    print("struct.error:", error)
