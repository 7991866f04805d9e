import hashlib, hmac, secrets, base64, binascii, os, codecs, zlib, uuid
from cryptography.fernet import Fernet
print(hashlib.sha256(b"a").hexdigest()[:8], hashlib.blake2b(b"x", digest_size=4).hexdigest(), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 1000).hex()[:8], hmac.new(b"k", b"m", "sha1").hexdigest()[:8], hashlib.scrypt(b"p", salt=b"s", n=16, r=1, p=1).hex()[:6], hashlib.md5(b"", usedforsecurity=False).hexdigest()[:4], hashlib.new("sha3_256", b"1").hexdigest()[:6])
k = Fernet.generate_key(); print(Fernet(k).decrypt(Fernet(k).encrypt(b"secret")), len(secrets.token_hex(8)), len(os.urandom(5)), codecs.encode("abc", "rot13"), zlib.crc32(b"a"), uuid.uuid5(uuid.NAMESPACE_DNS, "x"))
