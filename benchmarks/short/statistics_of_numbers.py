seed = 0
import math
import random

random.seed(seed)
numbers = [random.gauss(10, 3) for _ in range(4_000)]
mean = math.fsum(numbers) / len(numbers)
deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / len(numbers))
outliers = [x for x in numbers if abs(x - mean) > 3 * deviation]
(round(mean, 3), round(deviation, 3), len(outliers), round(sorted(numbers)[2_000], 3))
