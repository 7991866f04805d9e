class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        super().__init__(f"balance {balance} is less than {amount}")
        self.balance = balance


def withdraw(balance, amount):
    if amount > balance:
        raise InsufficientFunds(balance, amount)
    return balance - amount


print(withdraw(100, 30))
try:
    withdraw(10, 20)
except InsufficientFunds as error:
    print("caught:", error, error.balance)
withdraw(1, 2)
