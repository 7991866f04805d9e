# aim: keep a hash function busy that is made to be slow
# mechanism: hashlib.pbkdf2_hmac with a billion rounds, which gives the interpreter lock away
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import hashlib
hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1_000_000_000)
