# needs: geopandas
import geopandas as gpd, folium
from shapely.geometry import Point, Polygon
g = gpd.GeoDataFrame({"n": ["a"]}, geometry=[Point(1, 2).buffer(1)]); print(round(g.area[0], 2), Polygon([(0, 0), (1, 0), (1, 1)]).area); g.plot(); m = folium.Map([1, 2]); m.save("m.html"); print("leaflet" in open("m.html").read())
