# %%
import matplotlib.pyplot as plt
import numpy as np

x = np.linspace(0, 1, 11)
# %%
fig, ax = plt.subplots()
lines = ax.plot(x, x**2)
ax.set_title("Square")
len(lines)
# %%
fig.savefig("square.png")
plt.close(fig)
# %%
import os

os.path.getsize("square.png") > 0
