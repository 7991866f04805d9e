import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

OUT = Path("charts")
OUT.mkdir(exist_ok=True)
fig, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
wedges, texts, shares = left.pie([15, 30, 45, 10], labels=["a", "b", "c", "d"], autopct="%1.1f%%")
print([text.get_text() for text in shares])
rng = np.random.default_rng(0)
box = right.boxplot([rng.normal(0, s, 100) for s in (1, 2, 3)])
print([round(float(line.get_ydata()[0]), 3) for line in box["medians"]])
violin = right.violinplot([rng.normal(size=50)], positions=[4])
print(len(violin["bodies"]))
for suffix in ("png", "jpg", "webp"):
    fig.savefig(OUT / f"pie.{suffix}", dpi=40)
print(sorted(path.name for path in OUT.iterdir()), os.path.isfile(OUT / "pie.png"))
