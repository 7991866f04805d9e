import base64
import binascii
import json
import zlib


def bundle(files):
    """Pack a dictionary of texts into one printable line."""
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(files, sort_keys=True).encode())).decode()


def unbundle(text):
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(text)))


files = {"a.txt": "alpha\n" * 20, "b.txt": "beta"}
text = bundle(files)
print(len(text) < 100, unbundle(text) == files)
print(base64.b64encode(b"hello"), base64.b32encode(b"hello"), base64.b16encode(b"hello"), base64.b85encode(b"hello"))
try:
    base64.b64decode("abc", validate=True)
except binascii.Error as error:
    print(error)
print(binascii.hexlify(b"\x01\xff", "-"), bytes.fromhex("01 ff"), binascii.crc32(b"x"))
