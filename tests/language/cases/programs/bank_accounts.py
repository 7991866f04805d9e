# Bank accounts with inheritance, own exceptions and class counters.
class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        self.shortage = amount - balance
        super().__init__(f"short of {self.shortage:.2f}")


class Account:
    _next_number = 1000

    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.number = Account._next_number
        Account._next_number += 1
        self.history = []

    @property
    def balance(self):
        return self._balance

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        if amount > self.available():
            raise InsufficientFunds(self.available(), amount)
        self._balance -= amount
        self.history.append(("withdraw", amount))
        return self

    def available(self):
        return self._balance

    def __repr__(self):
        return f"<{type(self).__name__} {self.number} {self.owner}: {self._balance:.2f}>"


class Savings(Account):
    def __init__(self, owner, balance=0.0, *, rate=0.02):
        super().__init__(owner, balance)
        self.rate = rate

    def add_interest(self):
        return self.deposit(self.balance * self.rate)


class Checking(Account):
    overdraft = 100

    def available(self):
        return super().available() + self.overdraft


ann, bob = Savings("Ann", 1000, rate=0.05), Checking("Bob", 50)
ann.add_interest().withdraw(200)
bob.withdraw(120)
print(ann, bob, sep="\n")
for action in (lambda: bob.withdraw(100), lambda: ann.deposit(-5)):
    try:
        action()
    except (InsufficientFunds, ValueError) as error:
        print(type(error).__name__, error, getattr(error, "shortage", None))
try:
    ann.balance = 10**6
except AttributeError:
    print("balance is read-only")
{a.number: a.history for a in (ann, bob)}
