import random
import statistics as st

data = [2.5, 3.25, 5.5, 11.25, 11.5, 3.25]
print(st.mean(data), st.median(data), st.mode(data), round(st.stdev(data), 4), st.quantiles(data, n=4))
print(st.geometric_mean([1, 2, 4]), st.harmonic_mean([40, 60]), st.multimode("aabbc"))
x, y = [1, 2, 3, 4], [2, 4, 6, 8.5]
print(st.correlation(x, y), st.linear_regression(x, y))
heights = st.NormalDist(170, 8)
print(round(heights.cdf(180), 4), heights.inv_cdf(0.5), heights + st.NormalDist(1, 6))
random.seed(4)
samples = [random.gauss(0, 1) for _ in range(500)]
fitted = st.NormalDist.from_samples(samples)
print(round(fitted.mean, 3), round(fitted.stdev, 3))
try:
    st.mean([])
except st.StatisticsError as error:
    print(error)
