import matplotlib
print(matplotlib.get_backend().lower())
matplotlib.use("Agg")
import matplotlib.pyplot as plt
fig = plt.figure(figsize=(4, 3), dpi=50); ax = fig.add_subplot(projection="3d"); ax.plot([0, 1], [0, 1], [0, 1])
fig.canvas.draw(); print(fig.canvas.get_width_height(), ax.name)
