# The sep and end of print are obeyed, also when unpacked from a dictionary.
print(1, 2, 3, sep=", ", end=";\n")
options = {"sep": "", "end": ""}
print("a", "b", **options)
print()
for row in ([1, 2], [3, 4]):
    for cell in row:
        print(f"{cell:>3}", end="")
    print()
print("a\tb", "c\nd", sep="\n--\n")
print(*["x", "y"], sep=" -> ")
print("", end="")
print("é ü 中 🎉", repr("\x00"))
print(end="last\n")
