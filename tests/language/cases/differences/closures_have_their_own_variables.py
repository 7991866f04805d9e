# Every call of a function makes variables of its own for its closures.
def account(balance):
    def deposit(amount):
        nonlocal balance
        balance += amount
        return balance

    def peek():
        return balance

    return deposit, peek


first_deposit, first_peek = account(100)
second_deposit, second_peek = account(0)
first_deposit(50)
second_deposit(1)
print(first_peek(), second_peek())


def compose(*functions):
    def run(value):
        for function in functions:
            value = function(value)
        return value

    return run


x = "global"


def shadow():
    x = "enclosing"

    def inner(x):
        return x

    def reader():
        return x

    x = "changed later"
    return inner("parameter"), reader()


def recursive_closure(n):
    return [n] + (recursive_closure(n - 1) if n else [])


adders = {n: (lambda k: lambda v: v + k)(n) for n in (1, 10)}
print(compose(adders[1], adders[10], str)(5), shadow(), x, recursive_closure(3))


def local_names_stay_local():
    hidden = 1
    for hidden_loop in range(2):
        pass
    return hidden_loop


local_names_stay_local()
# ---
hidden
