import wave, struct, math, numpy as np, io
from scipy.io import wavfile
wavfile.write("t.wav", 8000, (np.sin(np.arange(800) / 10) * 1000).astype(np.int16)); r, d = wavfile.read("t.wav"); print(r, d.shape, wave.open("t.wav").getnframes())
import scipy.io as sio; sio.savemat("m.mat", {"a": [1, 2]}); print(sio.loadmat("m.mat")["a"])
np.savez("z.npz", a=np.arange(3)); print(np.load("z.npz")["a"], np.genfromtxt(io.StringIO("1,2\n3,4"), delimiter=",")); np.savetxt("s.txt", [[1.5, 2]]); print(open("s.txt").read()); a = np.memmap("mm", "f4", "w+", shape=(2,)); a[:] = 3; a.flush(); print(np.fromfile("mm", "f4"))
