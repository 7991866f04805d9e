import matplotlib
import matplotlib.pyplot as plt
from matplotlib import cm, colors
from matplotlib.ticker import FuncFormatter

print(matplotlib.get_backend().lower(), "ggplot" in plt.style.available)
with plt.style.context("ggplot"):
    fig, ax = plt.subplots()
    ax.plot([1000, 20000], [0.1, 0.9], marker="o")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1000:.0f}k"))
    ax.set_yscale("log")
    ax.annotate("top", (20000, 0.9), xytext=(10000, 0.5), arrowprops={"arrowstyle": "->"})
    ax.set_title(r"$\alpha^2 + \beta$")
    fig.canvas.draw()
    print([label.get_text() for label in ax.get_xticklabels()][1:3], ax.get_yscale())
print(colors.to_hex("tab:blue"), [round(v, 3) for v in plt.get_cmap("viridis")(0.5)])
print(fig.canvas.buffer_rgba().shape, matplotlib.rcParams["figure.dpi"])
fig.savefig("styled.png", bbox_inches="tight")
