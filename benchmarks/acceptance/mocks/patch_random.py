import random
from unittest.mock import call, patch


def roll(count, sides=6):
    return [random.randint(1, sides) for _ in range(count)]


with patch("random.randint", side_effect=[6, 1, 3]) as fake:
    print(roll(3))
    print(fake.call_count, fake.call_args_list == [call(1, 6)] * 3)
with patch("random.randint", return_value=4):
    print(roll(5, sides=20))
with patch.object(random, "choice", lambda options: options[0]):
    print(random.choice("xyz"))
random.seed(1)
print(roll(5), random.choice("xyz") in "xyz", random.randint.__name__)
