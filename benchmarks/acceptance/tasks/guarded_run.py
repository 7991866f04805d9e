import faulthandler, resource, os, shutil, builtins, signal, platform, contextlib, io, tempfile
faulthandler.disable()
resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK)); print(resource.getrlimit(resource.RLIMIT_CORE)[0] >= -1)
def h(*a): raise TimeoutError("t")
signal.signal(signal.SIGALRM, h); signal.setitimer(signal.ITIMER_REAL, .1)
try:
    while True: pass
except TimeoutError as e: print("timeout", e)
signal.setitimer(signal.ITIMER_REAL, 0); signal.alarm(0)
os.environ["OMP_NUM_THREADS"] = "1"
kill = os.kill; os.kill = None; os.kill = kill; builtins.exit = None; builtins.quit = None
with contextlib.redirect_stdout(io.StringIO()) as o, contextlib.redirect_stderr(io.StringIO()): print("x")
print(o.getvalue(), end="")
