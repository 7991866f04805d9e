from concurrent.futures import ThreadPoolExecutor

import numpy as np


def partial(args):
    data, start, stop = args
    block = data[start:stop]
    return block.sum(), (block**2).sum()


data = np.arange(200_000, dtype=np.float64)
chunks = [(data, start, start + 50_000) for start in range(0, data.size, 50_000)]
with ThreadPoolExecutor() as pool:
    sums, squares = zip(*pool.map(partial, chunks))
mean = sum(sums) / data.size
variance = sum(squares) / data.size - mean**2
print(mean, round(variance, 3), np.isclose(variance, data.var()))
a = np.arange(90_000, dtype=float).reshape(300, 300)
with ThreadPoolExecutor(2) as pool:
    left, right = pool.map(lambda m: (m @ m).trace(), [a, a.T])
print(left == right, f"{left:.6g}")
