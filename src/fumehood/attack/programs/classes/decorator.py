# aim: let a decorator take the function apart that it is given
# mechanism: the decorated function is an argument
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

def take_apart(function):
    loot(function.__code__)
    return function


@take_apart
def decorated():
    pass
