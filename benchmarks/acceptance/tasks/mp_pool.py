import multiprocessing, os, time
from multiprocessing import Pool, Process, Queue, Value, Array, Lock, cpu_count, Pipe, Event
from concurrent.futures import ProcessPoolExecutor, as_completed
def sq(x): return x * x
def w(q, v, l):
    with l: v.value += 1
    q.put(os.getpid() != os.getppid())
def bad(x): raise ValueError(x)
if __name__ == "__main__":
    with Pool(3) as p: print(p.map(sq, range(5)), p.starmap(pow, [(2, 3)]), p.apply_async(sq, (4,)).get(), list(p.imap_unordered(sq, [1])))
    q, v, l = Queue(), Value("i", 0), Lock(); ps = [Process(target=w, args=(q, v, l)) for _ in range(3)]; [p.start() for p in ps]; r = [q.get() for _ in ps]; [p.join() for p in ps]; print(r, v.value, [p.exitcode for p in ps])
    with ProcessPoolExecutor(2) as ex:
        print(sorted(f.result() for f in as_completed([ex.submit(sq, i) for i in range(4)])))
        try: ex.submit(bad, 3).result()
        except ValueError as e: print("ValueError", e)
    try:
        with Pool(1) as p: p.map(bad, [1])
    except ValueError as e: print(e)
    print(multiprocessing.get_start_method(), multiprocessing.current_process().name, cpu_count() == os.cpu_count())
