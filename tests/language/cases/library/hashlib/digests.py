# Digests are made in one go or piece by piece.
import hashlib
import hmac
from hashlib import sha256

print(hashlib.md5(b"abc").hexdigest(), sha256("héllo".encode()).hexdigest()[:16])
piecewise = hashlib.sha1()
for part in (b"a", b"b", b"c"):
    piecewise.update(part)
print(piecewise.hexdigest() == hashlib.new("sha1", b"abc").hexdigest(), piecewise.digest_size, piecewise.name)
print(hashlib.blake2b(b"x", digest_size=8).hexdigest(), hashlib.sha3_256(b"").hexdigest()[:8])
signature = hmac.new(b"key", b"message", "sha256")
print(signature.hexdigest()[:12], hmac.compare_digest(signature.digest(), hmac.digest(b"key", b"message", "sha256")))
hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 10).hex()[:10]
