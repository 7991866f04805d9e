# Bytes are written as base64, base32, base16, hexadecimal and checked by sums.
import base64
import binascii
import zlib
from base64 import b64decode as decode, b64encode as encode

print(encode(b"hello world"), decode("aGVsbG8="), base64.urlsafe_b64encode(b"\xfb\xff"))
print(base64.b32encode(b"hi"), base64.b16decode("4869"), base64.b85encode(b"data"))
print(binascii.hexlify(b"\x01\xfe"), binascii.unhexlify("0aff"), binascii.crc32(b"123456789"))
try:
    decode("abc")
except binascii.Error as error:
    print(error)
packed = zlib.compress(b"a" * 1000)
print(len(packed) < 50, zlib.decompress(packed) == b"a" * 1000, zlib.crc32(b"123456789"), zlib.adler32(b"abc"))
try:
    zlib.decompress(b"garbage")
except zlib.error as error:
    print(error)
squeeze = zlib.compressobj(9)
zlib.decompress(squeeze.compress(b"xyz") + squeeze.flush())
