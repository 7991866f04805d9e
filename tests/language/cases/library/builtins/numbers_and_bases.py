# Numbers are made from text in any base and written in any base.
print(int("42"), int("-0b101", 0), int("ff", 16), int("z", 36), int(3.99), int("1_000"), int())
print(bin(10), oct(64), hex(255), hex(-1), format(255, "08b"), f"{255:#x}", f"{1234567:,}")
print(float("1e3"), float("inf"), float(" 2.5 "), complex("1+2j"), complex(1, -1), bool([]), bool("0"))
print((255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), int.from_bytes(b"\xff", "big", signed=True))
print((10).bit_length(), (7).bit_count(), (0.75).as_integer_ratio(), (2.0).is_integer(), (5).real, (1 + 2j).imag)
print((0.1).hex(), float.fromhex("0x1.8p1"), (3 + 4j).conjugate(), 10**30, -7 // 2, -7 % 3, 7.5 // 2)
for bad in ("abc", "1.5", "", "12a"):
    try:
        int(bad)
    except ValueError as error:
        print(error)
try:
    int([])
except TypeError as error:
    print(error)
0.1 + 0.2
