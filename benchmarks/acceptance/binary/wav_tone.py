import array
import math
import wave

RATE = 8000
samples = array.array("h", (int(20000 * math.sin(2 * math.pi * 440 * n / RATE)) for n in range(RATE // 10)))
with wave.open("tone.wav", "wb") as out:
    out.setnchannels(1)
    out.setsampwidth(2)
    out.setframerate(RATE)
    out.writeframes(samples.tobytes())
with wave.open("tone.wav") as tone:
    print(tone.getparams()[:4], tone.getnframes() / tone.getframerate())
    frames = array.array("h", tone.readframes(tone.getnframes()))
print(frames == samples, max(frames), sum(a < 0 <= b for a, b in zip(frames, frames[1:])))
print(open("tone.wav", "rb").read(4))
