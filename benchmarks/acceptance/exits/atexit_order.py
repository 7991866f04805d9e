import atexit

atexit.register(print, "registered first, runs last")


@atexit.register
def goodbye():
    print("goodbye")


print("main part")
