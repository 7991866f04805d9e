# Secret tokens have the asked size and choices come from the given set.
import secrets

print(len(secrets.token_hex(8)), len(secrets.token_bytes(5)), isinstance(secrets.token_urlsafe(), str))
print(all(secrets.choice("ab") in "ab" for _ in range(20)), 0 <= secrets.randbelow(10) < 10)
print(secrets.compare_digest("same", "same"), secrets.randbits(4) < 16)
len("".join(secrets.choice("xyz") for _ in range(12)))
