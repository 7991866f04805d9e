seed = 0
from dataclasses import dataclass

@dataclass(order=True)
class Account:
    balance: float
    owner: str

accounts = [Account((i * 7919 + seed) % 1_000 / 10, f"owner {i}") for i in range(1_500)]
(sorted(accounts)[-1].owner, round(sum(account.balance for account in accounts), 2))
