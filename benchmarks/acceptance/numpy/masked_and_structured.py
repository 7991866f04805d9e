import numpy as np

people = np.array(
    [("Ann", 31, 1.68), ("Bob", 25, 1.82), ("Cy", 47, 1.75)],
    dtype=[("name", "U10"), ("age", "i4"), ("height", "f8")],
)
print(people["name"][people["age"] > 30], np.sort(people, order="age")["name"])
print(people.dtype.itemsize, people[1]["height"].item())
readings = np.ma.masked_values([1.0, -999.0, 3.0, 5.0], -999.0)
print(readings.mean(), readings.filled(0).tolist(), readings.count())
with np.errstate(divide="ignore", invalid="ignore"):
    print(np.array([1.0, 0.0, -1.0]) / 0.0)
try:
    with np.errstate(all="raise"):
        np.float64(1) / np.float64(0)
except FloatingPointError as error:
    print("FloatingPointError:", error)
dates = np.arange("2024-02-27", "2024-03-02", dtype="datetime64[D]")
print(dates, np.is_busday(dates).tolist(), (dates[-1] - dates[0]).astype(int))
