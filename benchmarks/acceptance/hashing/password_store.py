import base64
import hashlib
import hmac
import os
import secrets
import string


class Passwords:
    def __init__(self):
        self._stored = {}

    def set(self, user, password):
        salt = os.urandom(16)
        self._stored[user] = (salt, self._hash(password, salt))

    def verify(self, user, password):
        if user not in self._stored:
            return False
        salt, expected = self._stored[user]
        return hmac.compare_digest(self._hash(password, salt), expected)

    @staticmethod
    def _hash(password, salt):
        return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 2000)


def generate(length=12):
    alphabet = string.ascii_letters + string.digits
    while True:
        candidate = "".join(secrets.choice(alphabet) for _ in range(length))
        if any(c.isdigit() for c in candidate) and any(c.isupper() for c in candidate):
            return candidate


passwords = Passwords()
passwords.set("ann", "correct horse")
print(passwords.verify("ann", "correct horse"), passwords.verify("ann", "wrong"), passwords.verify("bob", "x"))
print(len(generate()), generate() != generate(), len(secrets.token_hex(8)), secrets.randbelow(1))
print(len(base64.urlsafe_b64encode(secrets.token_bytes(9))), len(secrets.token_urlsafe()))
