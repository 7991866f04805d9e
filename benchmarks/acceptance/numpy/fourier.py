import numpy as np

rate = 128
time = np.arange(rate) / rate
signal = 2 * np.sin(2 * np.pi * 5 * time) + 0.5 * np.cos(2 * np.pi * 20 * time)
spectrum = np.abs(np.fft.rfft(signal)) / (rate / 2)
frequencies = np.fft.rfftfreq(rate, 1 / rate)
peaks = [(int(f), round(float(a), 3)) for f, a in zip(frequencies, spectrum) if a > 0.1]
print(peaks)
kept = np.fft.rfft(signal)
kept[10:] = 0
low = np.fft.irfft(kept)
print(np.allclose(low, 2 * np.sin(2 * np.pi * 5 * time)))
window = np.ones(5) / 5
print(np.convolve(signal, window, mode="valid").shape, np.cumsum(signal)[-1].round(6) + 0.0)
