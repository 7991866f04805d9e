import matplotlib.pyplot as plt

fig, ax = plt.subplots()
try:
    ax.plot([1, 2, 3], [1, 2])
except ValueError as error:
    print(error)
try:
    fig.savefig("plot.xyz")
except ValueError as error:
    print(str(error).split(" (")[0])
try:
    fig.savefig("missing/plot.png")
except FileNotFoundError as error:
    print(error.strerror, error.filename)
ax.plot([1, 2, 3], color="not a color")
