# The make_dataclass function builds a class from a list of fields.
from dataclasses import field, make_dataclass

Account = make_dataclass(
    "Account",
    [("owner", str), ("balance", float, 0.0), ("log", list, field(default_factory=list))],
    namespace={"deposit": lambda self, amount: setattr(self, "balance", self.balance + amount)},
)
account = Account("Ann")
account.deposit(12.5)
account.log.append("deposit")
print(account, Account.__name__)
account == Account("Ann", 12.5, ["deposit"])
