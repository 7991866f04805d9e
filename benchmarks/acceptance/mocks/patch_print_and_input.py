from io import StringIO
from unittest.mock import patch


def interview():
    name = input("Name? ")
    print(f"Hello, {name}")
    age = int(input("Age? "))
    print(f"Next year you are {age + 1}")


with patch("builtins.input", side_effect=["Ann", "41"]) as asked, patch("builtins.print") as shown:
    interview()
print(asked.call_args_list)
print(shown.call_args_list)
with patch("builtins.input", lambda prompt: "7"), patch("sys.stdout", new_callable=StringIO) as out:
    interview()
print(repr(out.getvalue()))
