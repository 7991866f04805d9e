import io

data = bytearray(b"hello world, this is a buffer")
view = memoryview(data)
view[0:5] = b"HELLO"
print(data[:11], view[6:11].tobytes(), view.readonly, view.nbytes)
numbers = memoryview(bytes(range(16))).cast("I")
print(numbers.tolist(), numbers.itemsize, numbers.shape)
try:
    memoryview(b"fixed")[0] = 1
except TypeError as error:
    print(error)
try:
    data.append(1)
except BufferError as error:
    print(error)
view.release()
data.extend(b"!")
print(len(data), data.find(b"world"), data.hex()[:10], bytes.maketrans(b"a", b"b")[97])
stream = io.BytesIO(bytes(data))
print(stream.read(5), stream.seek(-3, io.SEEK_END), stream.read(), stream.getbuffer().nbytes)
reader = io.BufferedReader(io.BytesIO(b"line1\nline2\n"))
print(reader.peek(3)[:3], reader.readline(), list(reader))
text = io.TextIOWrapper(io.BytesIO("ä\r\nb".encode()), encoding="utf-8", newline=None)
print(text.readlines())
