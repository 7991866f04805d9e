seed = 0
import numpy as np

rng = np.random.default_rng(seed)
data = rng.normal(size=(400, 20))
centred = data - data.mean(axis=0)
covariance = centred.T @ centred / (len(data) - 1)
values = np.linalg.eigvalsh(covariance)
share = values[::-1].cumsum() / values.sum()
(int((share < 0.9).sum()), round(float(values.max()), 3), covariance.shape)
