import random
from collections import Counter
from itertools import accumulate


def walk(steps, generator):
    return list(accumulate(generator.choice((-1, 1)) for _ in range(steps)))


generator = random.Random(2024)
ends = Counter(walk(20, generator)[-1] for _ in range(500))
for position in sorted(ends):
    print(f"{position:>4} {'*' * (ends[position] // 5)}")
print(sum(position * count for position, count in ends.items()) / 500)


class Markov:
    def __init__(self, text, order=2):
        self.table, words = {}, text.split()
        for index in range(len(words) - order):
            self.table.setdefault(tuple(words[index : index + order]), []).append(words[index + order])

    def generate(self, count, seed):
        generator = random.Random(seed)
        state = generator.choice(sorted(self.table))
        out = list(state)
        while len(out) < count and state in self.table:
            out.append(generator.choice(self.table[state]))
            state = (*state[1:], out[-1])
        return " ".join(out)


text = "the cat sat on the mat and the cat ran to the cat on the mat and sat on the dog"
print(Markov(text).generate(10, 1))
