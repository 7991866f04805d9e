from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageStat

base = Image.new("RGB", (40, 40), (10, 20, 30))
stamp = Image.new("RGBA", (20, 20), (255, 255, 255, 0))
ImageDraw.Draw(stamp).ellipse((0, 0, 19, 19), fill=(255, 0, 0, 255))
both = base.copy()
both.paste(stamp, (10, 10), stamp)
difference = ImageChops.difference(base, both)
print(difference.getbbox(), both.getpixel((20, 20)), both.getpixel((10, 10)))
print(ImageStat.Stat(base).mean, [round(v, 1) for v in ImageEnhance.Brightness(base).enhance(2).getpixel((0, 0))])
palette = both.quantize(4)
print(palette.mode, len(both.getcolors()), sorted(count for count, _ in both.getcolors())[-1])
frames = [Image.new("P", (8, 8), number) for number in range(3)]
frames[0].save("anim.gif", save_all=True, append_images=frames[1:], duration=50, loop=0)
with Image.open("anim.gif") as animation:
    print(animation.is_animated, animation.n_frames)
try:
    Image.open("missing.png")
except FileNotFoundError as error:
    print(error.strerror)
both.save("both.unknown")
