from io import BytesIO

from PIL import ExifTags, Image, ImageDraw, ImageFont, PngImagePlugin

image = Image.new("RGB", (60, 20), "navy")
exif = image.getexif()
exif[ExifTags.Base.Artist] = "Ann"
exif[ExifTags.Base.ImageDescription] = "a test"
image.save("tagged.jpg", exif=exif)
again = Image.open("tagged.jpg").getexif()
print({ExifTags.TAGS[key]: value for key, value in sorted(again.items())})
info = PngImagePlugin.PngInfo()
info.add_text("Title", "demo")
image.save("tagged.png", pnginfo=info, dpi=(72, 72))
print(Image.open("tagged.png").text)
font = ImageFont.load_default(12)
draw = ImageDraw.Draw(image)
left, top, right, bottom = draw.textbbox((0, 0), "Hello", font=font)
print(right > left, bottom > top, draw.textlength("Hello", font=font) > draw.textlength("He", font=font))
buffer = BytesIO()
image.save(buffer, "WEBP", lossless=True)
print(buffer.getvalue()[:4], Image.open(buffer).size)
