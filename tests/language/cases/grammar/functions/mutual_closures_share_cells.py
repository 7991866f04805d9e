# Functions of one call share their variables, and arguments can be cells too.
def bank(balance, /, *, fee=1):
    history = []

    def withdraw(amount):
        nonlocal balance
        if amount + fee > balance:
            raise ValueError(f"only {balance} left")
        balance -= amount + fee
        history.append(-amount)

    def change_fee(new):
        nonlocal fee
        fee = new

    return withdraw, change_fee, lambda: (balance, fee, history)


withdraw, change_fee, state = bank(100)
withdraw(10)
change_fee(5)
withdraw(20)
print(state())
try:
    withdraw(80)
except ValueError as error:
    print(error)
