import os

import matplotlib.pyplot as plt
import numpy as np


def descend(gradient, start, rate=0.1, steps=60, momentum=0.8):
    position, velocity, path = np.array(start, float), 0.0, []
    for _ in range(steps):
        path.append(position.copy())
        velocity = momentum * velocity - rate * gradient(position)
        position = position + velocity
    return np.array(path)


loss = lambda p: (p[0] - 1) ** 2 + 4 * (p[1] + 2) ** 2
gradient = lambda p: np.array([2 * (p[0] - 1), 8 * (p[1] + 2)])
path = descend(gradient, (5, 5), rate=0.05)
print(path.shape, path[-1].round(2), round(float(loss(path[-1])), 3))
xs, ys = np.meshgrid(np.linspace(-1, 6, 40), np.linspace(-6, 6, 40))
fig, ax = plt.subplots(figsize=(3, 3))
ax.contour(xs, ys, loss((xs, ys)), levels=10)
ax.plot(*path.T, "r.-", lw=0.5)
fig.savefig("descent.png", dpi=40)
print(os.path.exists("descent.png"), len(ax.lines))
