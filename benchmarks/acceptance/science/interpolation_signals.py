import numpy as np
from scipy import ndimage, signal
from scipy.interpolate import CubicSpline, interp1d

x = np.arange(6)
y = x**2
print(float(CubicSpline(x, y)(2.5)), float(interp1d(x, y)(2.5)), np.interp(2.5, x, y))
t = np.linspace(0, 1, 200, endpoint=False)
wave = np.sin(2 * np.pi * 5 * t)
peaks, _ = signal.find_peaks(wave)
print(len(peaks), peaks.tolist())
b, a = signal.butter(2, 0.1)
print(b.round(5), a.round(5))
grid = np.zeros((6, 6), int)
grid[0:2, 0:2] = grid[4:6, 3:6] = 1
labels, count = ndimage.label(grid)
print(count, ndimage.sum(grid, labels, [1, 2]), ndimage.center_of_mass(grid))
