import random
import statistics


def bootstrap(data, statistic, rounds=500, seed=0):
    """The 95 % interval of a statistic, by resampling."""
    generator = random.Random(seed)
    values = sorted(statistic(generator.choices(data, k=len(data))) for _ in range(rounds))
    return values[int(rounds * 0.025)], values[int(rounds * 0.975)]


def permutation_test(a, b, rounds=500, seed=0):
    generator = random.Random(seed)
    observed = abs(statistics.fmean(a) - statistics.fmean(b))
    pool, extreme = a + b, 0
    for _ in range(rounds):
        generator.shuffle(pool)
        extreme += abs(statistics.fmean(pool[: len(a)]) - statistics.fmean(pool[len(a) :])) >= observed
    return extreme / rounds


a, b = [12, 15, 11, 18, 14, 13], [16, 19, 17, 21, 18, 20]
print(bootstrap(a, statistics.mean), bootstrap(b, statistics.median))
print(permutation_test(a, b), permutation_test(a, a))
