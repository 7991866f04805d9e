# Leaving a loop early closes a generator that nobody else holds.
def source(name):
    try:
        yield from range(10)
    finally:
        print(name, "closed")


for n in source("broken loop"):
    if n == 2:
        break
print("after loop")
held = source("held")
print(next(held))
del held
print(sum(source("summed")))
