def mean(values):
    assert values, "values must not be empty"
    return sum(values) / len(values)


assert mean([1, 2, 3]) == 2
print("mean works", __debug__)
mean([])
