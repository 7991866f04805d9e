# Send resumes a generator with a value, and the first one must be None.
def averager():
    total = count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


a = averager()
try:
    a.send(5)
except TypeError as error:
    print(error)
print(a.send(None), a.send(10), a.send(20), a.send(60))
