import fcntl, os, tempfile, mmap, select, selectors, errno, time, stat
f = open("l", "w+"); fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB); fcntl.lockf(f, fcntl.LOCK_UN); print("locked")
f.write("x" * 4096); f.flush(); m = mmap.mmap(f.fileno(), 0); m[0:1] = b"Y"; m.flush(); m.close(); print(open("l").read(2))
r, w = os.pipe(); os.write(w, b"z"); print(select.select([r], [], [], 0)[0] == [r]); s = selectors.DefaultSelector(); s.register(r, 1); print(len(s.select(0)))
os.truncate("l", 5); os.utime("l", (1, 2)); st = os.stat("l"); print(st.st_size, st.st_mtime, stat.filemode(st.st_mode)); os.link("l", "l2"); print(os.stat("l").st_nlink, os.path.samefile("l", "l2")); os.replace("l2", "l3"); print(sorted(x for x in os.listdir() if x[0] == "l"))
with os.scandir(".") as it: print(sorted(e.name for e in it if e.name[0] == "l" and e.is_file()))
try: os.mkfifo("ff"); print("fifo")
except OSError as e: print("fifo")
print(os.statvfs("/").f_bsize > 0, os.path.ismount("/"), os.path.getmtime("l"), os.cpu_count() > 0, os.getloadavg()[0] >= 0, os.times().user >= 0)
