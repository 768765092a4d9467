import { describe, expect, test } from "vitest";
import { readDocument } from "#systems";

/** Binding faults of a layer's call, by severity; `n()` gives an unknown size. */
function faults(made: string, run: string): readonly string[] {
  const { diagnostics } = readDocument(`import torch
import torch.nn as nn
import torch.nn.functional as F
from elsewhere import n

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        ${made}
        self.ten = nn.Linear(10, 3)

    def forward(self, x):
        ${run}

net = Net()
out = net(torch.randn(4, 5, 40))
`);
  return diagnostics.flatMap(({ code, severity }) =>
    code.startsWith("dimops/") ? `${severity} ${code}` : [],
  );
}

describe("a size that follows from one that nobody knows makes no error", () => {
  test.each`
    made                                                                              | run
    ${"self.a = nn.GRU(40, n(), bidirectional=True)"}                                 | ${"return self.ten(self.a(x)[0])"}
    ${"self.a = nn.LSTM(40, n(), bidirectional=True)"}                                | ${"return self.ten(self.a(x)[0])"}
    ${"self.a = nn.Linear(40, n())"}                                                  | ${"return self.ten(torch.cat([self.a(x), x], -1))"}
    ${"self.a = nn.Linear(40, n())"}                                                  | ${"return self.ten(self.a(x).chunk(2, -1)[0])"}
    ${"self.a = nn.Linear(40, n())"}                                                  | ${"return self.ten(F.pad(self.a(x), (2, 2)))"}
    ${"self.a = nn.Linear(40, n())"}                                                  | ${"return self.ten(F.avg_pool1d(self.a(x), 3))"}
    ${"self.a = nn.Linear(40, n()); self.b = nn.Conv1d(5, 6, 3)"}                     | ${"return self.ten(self.b(self.a(x)))"}
    ${"self.a = nn.GRU(40, n(), bidirectional=True); self.b = nn.Linear(2 * n(), 3)"} | ${"return self.b(self.a(x)[0])"}
  `("$made; $run", ({ made, run }) => {
    expect(faults(made, run)).toEqual(["warning dimops/size-conflict"]);
  });
});

test.each`
  made                                              | run
  ${"self.a = nn.GRU(n(), 16, bidirectional=True)"} | ${"return self.ten(self.a(x)[0])"}
  ${"self.a = nn.Linear(40, n())"}                  | ${"return self.ten(x + self.a(x).sum(-1, keepdim=True))"}
  ${"self.a = nn.Linear(40, n())"}                  | ${"return self.ten(torch.cat([x, x], -1))"}
`("sizes that are known differ: $made; $run", ({ made, run }) => {
  expect(faults(made, run)).toContain("error dimops/size-conflict");
});
