# The harmless parts of sys describe the interpreter and write to the output.
import sys
from sys import float_info, maxsize

print(maxsize == 2**63 - 1, float_info.epsilon, sys.float_info.max > 1e308, sys.byteorder in ("little", "big"))
print(sys.version_info >= (3, 11), sys.version_info.major, sys.version_info[0], sys.getrecursionlimit() > 100)
print(sys.getsizeof([]) < sys.getsizeof([1, 2, 3]), sys.maxunicode, sys.hash_info.modulus > 1, sys.float_info.dig)
written = sys.stdout.write("written\n")
sys.stdout.flush()
print("printed", file=sys.stdout)
written
