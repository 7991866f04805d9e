# A class used as a decorator copies the name of its function and counts calls, also for methods.
import functools


class CountCalls:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)


@CountCalls
def add(a, b=1):
    """Add two numbers."""
    return a + b


class Robot:
    @CountCalls
    def move(self, steps):
        return f"{steps} steps"


print(add(1), add(2, b=5), add.calls, add.__name__, add.__doc__, add.__wrapped__(10))
robot = Robot()
print(robot.move(3), Robot().move(4), Robot.move.calls, Robot.move.__name__)
add.calls
