from multiprocessing import Process, shared_memory

import numpy as np


def double(name, shape):
    block = shared_memory.SharedMemory(name=name)
    np.ndarray(shape, dtype=np.int64, buffer=block.buf)[:] *= 2
    block.close()


if __name__ == "__main__":
    data = np.arange(10, dtype=np.int64)
    block = shared_memory.SharedMemory(create=True, size=data.nbytes)
    view = np.ndarray(data.shape, dtype=data.dtype, buffer=block.buf)
    view[:] = data
    process = Process(target=double, args=(block.name, data.shape))
    process.start()
    process.join()
    print(view.tolist(), process.exitcode)
    del view
    block.close()
    block.unlink()
