from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter
from PIL import Image

fig, ax = plt.subplots(figsize=(1.5, 1.5), dpi=40)
(line,) = ax.plot([], [])
ax.set(xlim=(0, 6.3), ylim=(-1, 1))
x = np.linspace(0, 6.3, 50)


def update(frame):
    line.set_data(x, np.sin(x + frame))
    return (line,)


animation = FuncAnimation(fig, update, frames=4, blit=True)
animation.save("wave.gif", writer=PillowWriter(fps=5))
plt.close(fig)
with Image.open("wave.gif") as image:
    print(image.n_frames, image.size, image.info.get("duration"))
    image.seek(3)
    buffer = BytesIO()
    image.convert("RGB").save(buffer, "PNG")
print(buffer.getvalue()[1:4])
