# Every bitwise and shift operator has an augmented form.
bits = 0b1011
bits |= 0b0100
print(bin(bits))
bits &= 0b1101
print(bin(bits))
bits ^= 0b1111
print(bin(bits))
bits <<= 4
print(bin(bits))
bits >>= 2
print(bin(bits))
flags = {1, 2}
flags |= {3}
flags -= {1}
flags ^= {2, 4}
flags &= {3, 4, 5}
print(sorted(flags))
