from unittest.mock import MagicMock, Mock, call, patch
import math
import os


class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount
        return self.balance


account = Account()
spy = Mock(wraps=account)
print(spy.deposit(10), spy.deposit(5), account.balance)
spy.deposit.assert_has_calls([call(10), call(5)])
with patch("math.sqrt", wraps=math.sqrt) as sqrt:
    print(math.sqrt(16), sqrt.mock_calls)
with patch("os.path.exists", side_effect=lambda path: path.endswith(".py")):
    print(os.path.exists("a.py"), os.path.exists("a.txt"))
print(os.path.exists("a.py"))
with patch("os.listdir", return_value=["x", "y"]), patch("os.remove") as remove:
    for name in os.listdir("/anything"):
        os.remove(name)
print(remove.call_args_list)
manager = MagicMock()
manager.attach_mock(Mock(), "first")
manager.first(1)
manager.second(2)
print(manager.mock_calls)
