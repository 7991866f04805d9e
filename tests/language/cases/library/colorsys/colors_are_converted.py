# Colours are converted between systems.
from colorsys import hsv_to_rgb, rgb_to_hls, rgb_to_hsv

print(rgb_to_hsv(1, 0.5, 0), rgb_to_hls(0.2, 0.4, 0.4))
tuple(round(part * 255) for part in hsv_to_rgb(1 / 3, 1, 1))
