import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(1)
fig, axes = plt.subplots(2, 2, sharex=True, figsize=(5, 4), constrained_layout=True)
for index, ax in enumerate(axes.flat):
    ax.hist(rng.normal(index, 1 + index / 2, 300), bins=20, alpha=0.7)
    ax.set_title(f"mean {index}", fontsize=8)
    ax.axvline(index, color="k", lw=0.8)
fig.suptitle("Four samples")
fig.savefig("grid.pdf")
fig.savefig("grid.svg")
print(axes.shape, open("grid.pdf", "rb").read(5), "<svg" in open("grid.svg").read())
print([ax.get_title() for ax in fig.axes], fig._suptitle.get_text())
low, high = axes[0, 0].get_xlim()
print(low < -2 and high > 5)
