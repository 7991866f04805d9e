# Integers are written in four bases, with underscores.
print(0, 1_000_000, 0xFF, 0XdEaD_bEeF, 0o17, 0O7_7, 0b1010, 0B1111_0000, 00)
print(123456789012345678901234567890 * 10, -0, 0x_f)
print((5).bit_length(), 5 .real, 5..real, 0xF .denominator)
