# Bytes, byte arrays and memory views.
data = bytes([72, 105]) + b"\xff"
print(data, data[0], data[:2].decode(), bytes(3), bytes("é", "utf-8"), b"a,b".split(b","), data.hex("-"))
array = bytearray(b"hello")
array[0] = ord("J")
array += b"!"
array.extend([33])
print(array, array.find(b"l"), bytes(array).upper(), bytearray.fromhex("00 ff"))
view = memoryview(array)
print(view[1], view[1:4].tobytes(), len(view), view.readonly, view.tolist()[:2])
view[0:2] = b"YO"
print(array, memoryview(b"abcd").cast("H").itemsize, b"abc" < b"abd", 97 in b"abc")
view.release()
try:
    data.decode("utf-8")
except UnicodeDecodeError as error:
    print(error.reason, error.start, error.object)
try:
    bytes([256])
except ValueError as error:
    print(error)
"naïve".encode("ascii", "replace")
