# Generators chained into a pipeline pull one item at a time.
def read(lines):
    for line in lines:
        print("read", line)
        yield line


def parse(lines):
    for line in lines:
        if line.isdigit():
            yield int(line)


def pairs(numbers):
    it = iter(numbers)
    yield from zip(it, it)


for pair in pairs(parse(read(["1", "x", "2", "3", "4"]))):
    print(pair)
