# Simulations with a seeded module-level generator repeat from cell to cell.
import random


def roll(n):
    return [random.randint(1, 6) for _ in range(n)]


random.seed(2024)
first = roll(5)
# ---
random.seed(2024)
second = roll(5)
print(first == second, second)
# ---
random.seed("words work too")
deck = [f"{rank}{suit}" for suit in "SH" for rank in "A23"]
random.shuffle(deck)
print(deck, random.sample(deck, 2), [round(random.triangular(0, 1), 4) for _ in range(2)])
state = random.getstate()
a = random.random()
random.setstate(state)
a == random.random()
