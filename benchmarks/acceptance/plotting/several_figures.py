import glob

import matplotlib.pyplot as plt

for number, kind in enumerate(["line", "bar", "scatter", "hist"], 1):
    plt.figure(number, figsize=(2, 2))
    if kind == "line":
        plt.plot([1, 2, 3], [1, 4, 9])
    elif kind == "bar":
        plt.bar(["a", "b"], [3, 5])
    elif kind == "scatter":
        plt.scatter([1, 2], [2, 1], s=[10, 40])
    else:
        counts, edges, _ = plt.hist([1, 1, 2, 3, 3, 3], bins=3)
        print(counts.tolist(), edges.round(2).tolist())
    plt.title(kind)
    plt.savefig(f"figure_{kind}.png", dpi=30)
print(plt.get_fignums(), sorted(glob.glob("figure_*.png")))
plt.close("all")
print(plt.get_fignums())
