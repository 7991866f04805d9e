# Raise an exception with a text that takes forever to make.
# mechanism: __str__ that never returns
# stopped by: run
# reason: showing an error is inside the time limit
# control: none (whether the host survives is what is tested)

class Slow(Exception):
    def __str__(self):
        while True:
            pass


raise Slow
