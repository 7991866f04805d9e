import struct


def write_bmp(path, width, height, pixel):
    """Write a 24-bit bitmap; `pixel` gives (red, green, blue)."""
    padding = -width * 3 % 4
    size = (width * 3 + padding) * height
    with open(path, "wb") as file:
        file.write(struct.pack("<2sIHHI", b"BM", 54 + size, 0, 0, 54))
        file.write(struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, size, 2835, 2835, 0, 0))
        for y in reversed(range(height)):
            for x in range(width):
                file.write(bytes(reversed(pixel(x, y))))
            file.write(bytes(padding))


write_bmp("gradient.bmp", 5, 3, lambda x, y: (x * 50, y * 100, 128))
data = open("gradient.bmp", "rb").read()
kind, size, _, _, offset = struct.unpack_from("<2sIHHI", data)
width, height = struct.unpack_from("<ii", data, 18)
print(kind, size == len(data), offset, width, height, data[54:57])
print([value for (value,) in struct.iter_unpack(">H", b"\x00\x01\x01\x00")], struct.calcsize("@bi"), struct.calcsize("<bi"))
