# needs: wordcloud
from wordcloud import WordCloud
import matplotlib.pyplot as plt
w = WordCloud(width=100, height=50, random_state=1).generate("a bb bb ccc ccc ccc"); print(w.to_array().shape, sorted(w.words_)); plt.imshow(w); plt.axis("off"); w.to_file("w.png")
from PIL import Image, ImageDraw, ImageFont, ImageFilter
im = Image.new("RGB", (20, 20), "red"); ImageDraw.Draw(im).text((0, 0), "a", font=ImageFont.load_default()); im.filter(ImageFilter.BLUR).resize((5, 5)).save("b.jpg"); print(Image.open("b.jpg").format, Image.open("w.png").size)
