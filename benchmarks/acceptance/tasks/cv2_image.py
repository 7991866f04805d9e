# needs: cv2
import cv2, numpy as np, os
im = np.zeros((20, 30, 3), np.uint8); cv2.rectangle(im, (2, 2), (9, 9), (255, 0, 0), -1); print(cv2.imwrite("i.png", im), cv2.imread("i.png").shape, cv2.cvtColor(im, cv2.COLOR_BGR2GRAY).max(), cv2.Canny(im, 1, 2).sum() > 0)
