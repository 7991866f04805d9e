import multiprocessing as mp

STATE = {}


def setup(scale):
    STATE["scale"] = scale


def scaled(value):
    return value * STATE["scale"]


def parity(value):
    return (value, "even" if value % 2 == 0 else "odd")


if __name__ == "__main__":
    context = mp.get_context("fork")
    with context.Pool(2, initializer=setup, initargs=(10,)) as pool:
        print(pool.map(scaled, range(5)))
        result = pool.map_async(parity, range(3))
        result.wait(20)
        print(result.ready(), result.successful(), result.get())
        pool.close()
        pool.join()
    print(STATE)
