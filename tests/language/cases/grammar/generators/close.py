# Close raises GeneratorExit at the yield, runs finally blocks, and forbids another yield.
def careful():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print("asked to stop")
        raise
    finally:
        print("cleaned up")


def stubborn():
    try:
        yield 1
    except GeneratorExit:
        print("refuses")
        yield 2


g = careful()
next(g)
print(g.close(), next(g, "over"))
unstarted = careful()
unstarted.close()
s = stubborn()
next(s)
try:
    s.close()
except RuntimeError as error:
    print(error)
