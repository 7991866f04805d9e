# aim: raise an exception class of the program's own that is no Exception, with hostile methods
# mechanism: __str__, __repr__ and __eq__ that raise more of the same
# language: run
# reason: whatever code raises is an error of the code
# jail: process
# plain: none (whether it passes through the host is what is tested)

class Poison(BaseException):
    def __str__(self):
        raise Poison

    __repr__ = __eq__ = __str__
    __hash__ = None


raise Poison
