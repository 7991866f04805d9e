# aim: raise an exception with a text that takes forever to make
# mechanism: __str__ that never returns
# language: run
# reason: showing an error is inside the time limit
# jail: process
# plain: none (whether the host survives is what is tested)

class Slow(Exception):
    def __str__(self):
        while True:
            pass


raise Slow
