# Bisection finds positions in sorted lists and inserts in order.
import bisect
from bisect import bisect_left, bisect_right, insort

grades = [60, 70, 80, 90]


def grade(score):
    return "FDCBA"[bisect.bisect(grades, score)]


print([grade(s) for s in (33, 60, 75, 89.9, 100)])
numbers = [1, 3, 3, 5]
print(bisect_left(numbers, 3), bisect_right(numbers, 3), bisect_left(numbers, 9, lo=1, hi=3))
insort(numbers, 4)
bisect.insort_left(numbers, 0)
print(numbers)
words = ["a", "bb", "dddd"]
insort(words, "ccc", key=len)
words
