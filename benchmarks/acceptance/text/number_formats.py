values = [0, 1234567.891, -0.000123, 1e20, float("inf")]
for value in values:
    print(f"{value:>15,.2f}|{value:<12.3e}|{value:^+12g}|{value!r}")
print(f"{255:#x} {255:08b} {255:o} {0.256:.1%} {42:>+6d} {1_000_000:_}")
name, width = "fumes", 10
print(f"{name:>{width}}|{name:*^{width}}|{name!r:<{width}}|{name[0].upper() + name[1:]}")
print("%-8s|%5.1f|%03d|%x|%%" % ("left", 3.14159, 7, 255))
print("{0[a]} {1.real} {2:%Y}".format({"a": 1}, 5, __import__("datetime").date(2024, 1, 1)))
print(f"{width = } {name = !s}", f"{'nested ' + f'{width * 2}'}")
table = [("apple", 1.5, 3), ("kiwi", 0.25, 12)]
print("\n".join(f"{fruit:<10}{price:>8.2f}{count:>4}" for fruit, price, count in table))
try:
    f"{'text':d}"
except ValueError as error:
    print(error)
