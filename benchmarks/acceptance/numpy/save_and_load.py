import os

import numpy as np

grid = np.arange(12, dtype=np.float32).reshape(3, 4)
np.save("grid.npy", grid)
print(os.path.getsize("grid.npy"), np.array_equal(np.load("grid.npy"), grid))
np.savez("several.npz", grid=grid, labels=np.array(["a", "b"]), count=3)
with np.load("several.npz") as stored:
    print(sorted(stored.files), stored["labels"], int(stored["count"]), stored["grid"].dtype)
np.savez_compressed("small.npz", zeros=np.zeros((200, 200)))
print(os.path.getsize("small.npz") < 2000)
mapped = np.load("grid.npy", mmap_mode="r+")
mapped[0, 0] = 100
mapped.flush()
print(np.load("grid.npy")[0].tolist(), type(mapped).__name__)
