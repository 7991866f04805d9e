# A global statement makes a function read and bind the module's variable.
counter = 0


def bump():
    global counter, created
    counter += 1
    created = counter * 10


def removes():
    global created
    del created


bump()
bump()
print(counter, created)
removes()
try:
    created
except NameError as error:
    print(error)
