import bz2
import lzma
import zlib

text = b"".join(f"{n},{n * n},{n ** 3}\n".encode() for n in range(2000))
sizes = {
    "zlib": len(zlib.compress(text, 9)),
    "bz2": len(bz2.compress(text)),
    "lzma": len(lzma.compress(text)),
}
print(len(text), all(size < len(text) for size in sizes.values()), sorted(sizes))
with bz2.open("table.bz2", "wb") as file:
    file.write(text)
with lzma.open("table.xz", "wt") as file:
    file.write(text.decode())
print(bz2.open("table.bz2").read() == text, lzma.open("table.xz", "rt").readline())
decompressor = zlib.decompressobj()
stream = zlib.compress(text)
parts = [decompressor.decompress(stream[i : i + 500]) for i in range(0, len(stream), 500)]
print(b"".join(parts) + decompressor.flush() == text, hex(zlib.crc32(text)), zlib.adler32(b"abc"))
try:
    lzma.decompress(b"garbage")
except lzma.LZMAError as error:
    print(error)
