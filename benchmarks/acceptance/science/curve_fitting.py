import numpy as np
from scipy.optimize import curve_fit, minimize


def decay(t, amplitude, rate, offset):
    return amplitude * np.exp(-rate * t) + offset


rng = np.random.default_rng(0)
t = np.linspace(0, 4, 40)
y = decay(t, 2.5, 1.3, 0.5) + rng.normal(scale=0.02, size=t.size)
parameters, covariance = curve_fit(decay, t, y, p0=(1, 1, 0))
print(parameters.round(2), (np.sqrt(np.diag(covariance)) < 0.1).all())
rosenbrock = lambda v: (1 - v[0]) ** 2 + 100 * (v[1] - v[0] ** 2) ** 2
found = minimize(rosenbrock, [-1, 2], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-8})
print(found.success, found.x.round(4))
