# File modes are decoded without touching a file.
import stat

mode = stat.S_IFDIR | 0o755
print(stat.S_ISDIR(mode), stat.S_ISREG(mode), oct(stat.S_IMODE(mode)), stat.filemode(mode))
stat.filemode(stat.S_IFREG | stat.S_IRUSR | stat.S_IXOTH)
