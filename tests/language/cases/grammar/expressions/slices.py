# Slices of every shape read sequences, and their bounds may lie outside.
s = list(range(10))
print(s[2:5], s[:3], s[7:], s[:], s[::3], s[::-1])
print(s[-3:-1], s[8:100], s[5:2], s[5:2:-1], s[-100:2])
print("python"[1:-1:2], (1, 2, 3)[None:None], range(20)[3:15:4], b"abc"[1:])
