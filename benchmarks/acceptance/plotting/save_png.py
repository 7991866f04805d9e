import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

x = np.linspace(0, 2 * np.pi, 100)
fig, ax = plt.subplots(figsize=(4, 3))
ax.plot(x, np.sin(x), label="sin")
ax.plot(x, np.cos(x), "--", label="cos")
ax.set(xlabel="x", ylabel="y", title="Waves")
ax.legend()
fig.savefig("waves.png", dpi=50)
plt.close(fig)
with open("waves.png", "rb") as file:
    print(file.read(8))
print(os.path.getsize("waves.png") > 1000, ax.get_title(), len(ax.lines))
