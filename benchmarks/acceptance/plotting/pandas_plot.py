import os

import matplotlib.pyplot as plt
import pandas as pd

frame = pd.DataFrame({"tea": [3, 5, 2], "coffee": [6, 4, 7]}, index=["Mon", "Tue", "Wed"])
ax = frame.plot(kind="bar", figsize=(3, 2), title="Cups")
ax.set_ylabel("cups")
print([text.get_text() for text in ax.get_legend().get_texts()], ax.get_title(), len(ax.patches))
ax.figure.savefig("cups.png")
frame.plot.line(subplots=True)
plt.savefig("lines.jpg", dpi=40)
print(sorted(name for name in os.listdir() if name.startswith(("cups", "lines"))))
hist = frame["tea"].hist(bins=3)
print(type(hist).__name__, [patch.get_height() for patch in hist.patches][:0])
plt.close("all")
