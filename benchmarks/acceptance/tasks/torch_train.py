# needs: torch
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0); X = torch.randn(64, 4); y = (X.sum(1) > 0).long(); m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)); o = torch.optim.SGD(m.parameters(), .1)
for e in range(5):
    for a, b in DataLoader(TensorDataset(X, y), 16): o.zero_grad(); l = F.cross_entropy(m(a), b); l.backward(); o.step()
print(round(l.item(), 4), torch.cuda.is_available()); torch.save(m.state_dict(), "m.pt"); m.load_state_dict(torch.load("m.pt")); print(torch.get_num_threads() > 0)
