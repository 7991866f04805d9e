def read_numbers(path):
    with open(path) as file:
        return [float(line) for line in file]


for attempt in ("missing.txt", ".", ""):
    try:
        read_numbers(attempt)
    except OSError as error:
        print(type(error).__name__, error.errno, error)
with open("numbers.txt", "w") as file:
    file.writelines(f"{n}\n" for n in (1, 2.5, "three"))
try:
    read_numbers("numbers.txt")
except ValueError as error:
    print(error)
read_numbers("absent/numbers.txt")
