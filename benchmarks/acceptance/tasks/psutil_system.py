import psutil
print(psutil.virtual_memory().total > 0)
print(psutil.cpu_percent(interval=0.1) >= 0)
print(psutil.boot_time() > 0)
