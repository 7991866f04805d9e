# aim: crash the interpreter with bytes that claim to be code
# mechanism: marshal.loads of a changed code object, then exec
# language: check
# reason: the policy does not authorize marshal
# jail: init
# plain: crashes
# expect: fault crash | error ValueError | error EOFError | error SystemError | fault timeout
# hosts: root
import marshal
good = marshal.dumps(compile("[a for a in b if (c, d)]", "x", "eval"))
code = compile("[a for a in b if (c, d)]", "x", "eval").co_code
at = good.index(code)
for opcode in range(1, 256):
    forged = good[:at] + bytes([opcode, 255] * (len(code) // 2)) + good[at + len(code) :]
    try:
        eval(marshal.loads(forged), {"b": [1], "c": 1, "d": 2})
    except Exception:
        continue
