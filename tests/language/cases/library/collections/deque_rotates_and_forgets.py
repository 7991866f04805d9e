# A deque appends on both sides, rotates and forgets beyond its maximum length.
from collections import deque

recent = deque(maxlen=3)
for number in range(6):
    recent.append(number)
print(recent, list(recent), recent.maxlen)
recent.appendleft(99)
print(recent)
ring = deque("abcde")
ring.rotate(2)
print("".join(ring))
ring.rotate(-3)
print("".join(ring), ring.popleft(), ring.pop(), ring.index("d"))
ring.extend("xy")
ring.extendleft("12")
try:
    deque().popleft()
except IndexError as error:
    print("empty:", error)
ring
