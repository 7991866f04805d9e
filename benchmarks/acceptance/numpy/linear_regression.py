import numpy as np


def fit(x, y):
    """Least squares by the normal equations, checked against lstsq."""
    design = np.column_stack([np.ones_like(x), x])
    weights = np.linalg.solve(design.T @ design, design.T @ y)
    other, residual, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    assert np.allclose(weights, other)
    return weights, float(residual[0]), int(rank)


rng = np.random.default_rng(7)
x = np.linspace(0, 10, 50)
y = 3.0 + 2.5 * x + rng.normal(0, 0.5, x.size)
weights, residual, rank = fit(x, y)
print(weights.round(3), round(residual, 3), rank)
predicted = weights[0] + weights[1] * x
r2 = 1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum()
print(f"R2 = {r2:.4f}")
print(np.polyfit(x, y, 1).round(3), np.corrcoef(x, y)[0, 1].round(4))
