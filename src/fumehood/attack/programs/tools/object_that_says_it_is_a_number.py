# aim: hand a tool an object where it takes a number
# mechanism: __class__, __index__ and __int__ that lie
# language: nothing (a class may say so, and a program may have such names)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
class Number:
    __class__ = property(lambda self: int)
    def __index__(self):
        return 7
    __int__ = __index__

try:
    add(Number(), Number())
except Exception as error:
    pass
"held: the host saw no class of ours"
