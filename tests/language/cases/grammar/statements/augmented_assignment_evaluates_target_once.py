# The container and the key of an augmented assignment are evaluated once.
def key():
    print("key asked")
    return "total"


def table():
    print("table asked")
    return totals


totals = {"total": 1}
table()[key()] += 41
print(totals)
values = ([1],)
try:
    values[0] += [2]
except TypeError as error:
    print(error, values)
