# The text of an exception without its frames.
import traceback


class OrderError(Exception):
    def __init__(self, number):
        super().__init__(f"order {number} is lost")
        self.number = number


try:
    raise OrderError(5)
except OrderError as error:
    print(traceback.format_exception_only(error))
    print("".join(traceback.format_exception_only(type(error), error)).strip())
    print(traceback.format_exc().splitlines()[0])
    print(traceback.format_exc().splitlines()[-1])
try:
    int("x")
except ValueError:
    last = traceback.format_exc().strip().rsplit("\n", 1)[-1]
last
