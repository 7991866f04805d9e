# needs: rsa
import rsa, base64
pub, priv = rsa.newkeys(512)
print(rsa.decrypt(rsa.encrypt(b"m", pub), priv), rsa.verify(b"x", rsa.sign(b"x", priv, "SHA-256"), pub))
from Crypto.Cipher import AES
from Crypto.Random import get_random_bytes
c = AES.new(b"0" * 16, AES.MODE_EAX, nonce=b"1" * 16); print(c.encrypt(b"abc").hex())
