import itertools


def read(lines):
    for line in lines:
        yield line.strip()


def parse(lines):
    for line in lines:
        name, _, value = line.partition("=")
        if value:
            yield name.strip(), int(value)


def running():
    total = count = 0
    average = None
    while True:
        value = yield average
        if value is None:
            return total
        total, count = total + value, count + 1
        average = total / count


def delegate(results):
    while True:
        results.append((yield from running()))


pairs = list(parse(read(["a = 1", "# none", "b=20 ", "c = 3"])))
print(pairs)
results = []
averager = delegate(results)
next(averager)
print([averager.send(v) for _, v in pairs], averager.send(None), results)
averager.close()
print(list(itertools.islice(itertools.accumulate(itertools.count(1)), 5)), list(itertools.batched("abcde", 2)) if hasattr(itertools, "batched") else [tuple("ab"), tuple("cd"), ("e",)])
print([(k, len(list(g))) for k, g in itertools.groupby("aaabcc")], list(itertools.pairwise([1, 2, 3])))


def stubborn():
    try:
        yield 1
    except GeneratorExit:
        print("closing")
        raise
    except ValueError as error:
        yield f"caught {error}"


g = stubborn()
next(g)
print(g.throw(ValueError("thrown")))
