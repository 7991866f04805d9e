import random

TARGET = "HELLO WORLD"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ "


def fitness(text):
    return sum(a == b for a, b in zip(text, TARGET))


def evolve(seed, size=60, rate=0.04):
    rng = random.Random(seed)
    population = ["".join(rng.choices(LETTERS, k=len(TARGET))) for _ in range(size)]
    for generation in range(1, 300):
        population.sort(key=fitness, reverse=True)
        if population[0] == TARGET:
            return generation, population[0]
        parents = population[: size // 4]
        population = parents[:2]
        while len(population) < size:
            mother, father = rng.sample(parents, 2)
            cut = rng.randrange(len(TARGET))
            child = mother[:cut] + father[cut:]
            population.append("".join(rng.choice(LETTERS) if rng.random() < rate else c for c in child))
    return generation, population[0]


for seed in (1, 2):
    generation, best = evolve(seed)
    print(seed, generation, best, fitness(best))
