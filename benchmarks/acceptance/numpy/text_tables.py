from io import StringIO

import numpy as np

data = np.array([[1.5, 2, 3], [4, np.nan, 6]])
np.savetxt("table.txt", data, fmt="%.2f", delimiter=",", header="a,b,c", comments="")
print(open("table.txt").read(), end="")
print(np.loadtxt("table.txt", delimiter=",", skiprows=1))
filled = np.genfromtxt("table.txt", delimiter=",", names=True, filling_values=0)
print(filled.dtype.names, filled["b"])
text = StringIO("# comment\n10 20\n30 40\n")
print(np.loadtxt(text, dtype=int).sum(axis=0))
data.tofile("raw.bin")
print(np.fromfile("raw.bin").reshape(2, 3)[1, 2])
