from PIL import Image, ImageDraw

image = Image.new("RGB", (80, 60), "white")
draw = ImageDraw.Draw(image)
draw.rectangle((10, 10, 40, 40), fill=(255, 0, 0), outline="black")
draw.ellipse((30, 20, 70, 50), fill="#00ff00")
draw.line((0, 0, 79, 59), fill="blue", width=2)
draw.text((5, 45), "hi", fill="black")
for name in ("picture.png", "picture.jpg", "picture.bmp", "picture.gif"):
    image.save(name)
    with Image.open(name) as again:
        print(name, again.format, again.size, again.mode)
print(image.getpixel((15, 35)), image.getpixel((60, 35)), image.getbbox())
