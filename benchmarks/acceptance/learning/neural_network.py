import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


rng = np.random.default_rng(0)
x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
y = np.array([[0], [1], [1], [0]], dtype=float)
w1, b1 = rng.normal(size=(2, 8)), np.zeros(8)
w2, b2 = rng.normal(size=(8, 1)), np.zeros(1)
losses = []
for epoch in range(3000):
    hidden = np.tanh(x @ w1 + b1)
    out = sigmoid(hidden @ w2 + b2)
    losses.append(float(-np.mean(y * np.log(out) + (1 - y) * np.log(1 - out))))
    d_out = (out - y) / len(x)
    d_hidden = (d_out @ w2.T) * (1 - hidden**2)
    w2 -= 0.5 * hidden.T @ d_out
    b2 -= 0.5 * d_out.sum(axis=0)
    w1 -= 0.5 * x.T @ d_hidden
    b1 -= 0.5 * d_hidden.sum(axis=0)
print(f"{losses[0]:.3f} -> {losses[-1] < 0.05}", out.round().ravel().tolist())
np.savez("weights.npz", w1=w1, b1=b1, w2=w2, b2=b2)
loaded = np.load("weights.npz")
print(all(np.array_equal(loaded[name], value) for name, value in (("w1", w1), ("b2", b2))))
