# aim: call functions without writing a call
# mechanism: decorators on a class, whose name is then the argument
# source: a classic of Python jails in capture-the-flag games
# language: builtins
# reason: the eval that code has goes through the same rules
# jail: process
# plain: loot
def command(cls):
    return "__import__('os')"

@loot
@eval
@command
class x:
    pass
