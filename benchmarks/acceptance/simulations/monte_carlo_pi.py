import math
import random


def estimate(samples, seed):
    generator = random.Random(seed)
    inside = sum(generator.random() ** 2 + generator.random() ** 2 <= 1 for _ in range(samples))
    return 4 * inside / samples


for samples in (100, 1000, 10_000):
    value = estimate(samples, seed=42)
    print(f"{samples:>6} {value:.4f} {abs(value - math.pi):.4f}")
random.seed(99)
print([random.randint(1, 6) for _ in range(10)], random.sample(range(100), 4), random.choices("ab", [1, 9], k=6))
deck = list(range(10))
random.shuffle(deck)
print(deck, round(random.gauss(0, 1), 6), round(random.triangular(0, 10, 5), 6), random.getrandbits(16))
state = random.getstate()
first = random.random()
random.setstate(state)
print(first == random.random())
