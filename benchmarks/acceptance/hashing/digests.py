import hashlib
import hmac
from pathlib import Path

Path("message.txt").write_bytes(b"attack at dawn")
for name in ("md5", "sha1", "sha256", "blake2b"):
    print(name, hashlib.new(name, Path("message.txt").read_bytes()).hexdigest()[:32])
with open("message.txt", "rb") as file:
    print(hashlib.file_digest(file, "sha256").hexdigest()[:16])
signature = hmac.new(b"key", b"attack at dawn", hashlib.sha256).hexdigest()
print(signature, hmac.compare_digest(signature, signature[:-1] + "0"))
print(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1000).hex()[:32])
print(hashlib.scrypt(b"password", salt=b"salt", n=16, r=8, p=1, dklen=16).hex())
print(hashlib.blake2s(b"x", digest_size=4, key=b"k").hexdigest(), "sha3_256" in hashlib.algorithms_available)
