# Means, medians, modes, spread, quantiles and correlation.
import statistics
from statistics import StatisticsError, mean, median

data = [2, 4, 4, 4, 5, 5, 7, 9]
print(mean(data), median(data), statistics.mode(data), statistics.multimode("aabb"))
print(statistics.pstdev(data), round(statistics.stdev(data), 6), statistics.pvariance(data))
print(statistics.quantiles(data, n=4), statistics.median_low([1, 2, 3, 4]), statistics.fmean([1, 2], [3, 1]))
print(statistics.geometric_mean([1, 4]), statistics.harmonic_mean([40, 60]))
print(statistics.correlation([1, 2, 3], [2, 4, 6.5]), statistics.linear_regression([1, 2, 3], [3, 5, 7]))
normal = statistics.NormalDist(100, 15)
print(round(normal.cdf(115), 4), normal + 5, round(normal.inv_cdf(0.5), 3))
try:
    mean([])
except StatisticsError as error:
    print(error)
median([3, 1, 2])
