# A seeded generator gives the same numbers every time.
import random

random.seed(42)
print([random.randint(1, 6) for _ in range(8)], random.random())
items = list("abcdef")
random.shuffle(items)
print(items, random.choice(items), random.sample(range(100), 3), random.choices("xyz", weights=[5, 1, 1], k=4))
print(round(random.uniform(1, 2), 6), round(random.gauss(0, 1), 6), random.randrange(0, 100, 7))
own = random.Random(7)
state = own.getstate()
first = [own.random() for _ in range(2)]
own.setstate(state)
print(first == [own.random() for _ in range(2)], own.getrandbits(16), random.Random("text").randint(0, 999))
hits = sum(own.random() ** 2 + own.random() ** 2 <= 1 for _ in range(1000))
4 * hits / 1000
