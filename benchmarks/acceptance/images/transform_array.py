from io import BytesIO

import numpy as np
from PIL import Image, ImageFilter, ImageOps

gradient = np.tile(np.arange(0, 256, 4, dtype=np.uint8), (32, 1))
image = Image.fromarray(gradient)
print(image.size, image.mode, image.rotate(90, expand=True).size, image.resize((16, 8)).size)
print(ImageOps.invert(image).getpixel((0, 0)), ImageOps.mirror(image).getpixel((0, 0)))
print(np.asarray(image.crop((10, 0, 14, 2))).tolist(), image.histogram()[:5])
blurred = image.filter(ImageFilter.GaussianBlur(2))
print(np.asarray(blurred).mean().round(1), image.convert("1").mode)
buffer = BytesIO()
Image.merge("RGB", [image, ImageOps.invert(image), image]).save(buffer, "PNG")
buffer.seek(0)
print(Image.open(buffer).getpixel((5, 5)), Image.open(buffer).split()[1].getextrema())
