# Each call of a factory makes its own variables, shared by the functions made in it.
def account(balance):
    def deposit(amount):
        nonlocal balance
        balance += amount
        return balance

    def show():
        return balance

    return deposit, show


a_deposit, a_show = account(10)
b_deposit, b_show = account(100)
a_deposit(5)
b_deposit(1)
a_deposit(5)
print(a_show(), b_show())
