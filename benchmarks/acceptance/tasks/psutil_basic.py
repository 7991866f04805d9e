import psutil, os
p = psutil.Process(); print(p.pid == os.getpid(), p.memory_info().rss > 0, p.is_running(), p.num_threads() >= 1, p.name() != "", p.status())
print(psutil.cpu_count() > 0, psutil.pid_exists(os.getpid()), psutil.disk_usage("/").total >= 0)
print(os.getpid() in psutil.pids(), len(list(psutil.process_iter(["pid", "name"]))) > 0)
