# aim: use more memory than the limit by unpacking a few kilobytes
# mechanism: zlib.decompress of a stream of zeros
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | held
# hosts: root
import zlib
packer = zlib.compressobj(9)
small = b"".join(packer.compress(bytes(1 << 20)) for _ in range(192)) + packer.flush()
judge(lambda: f"{len(zlib.decompress(small)) >> 20} MB from {len(small) >> 10} KB")
