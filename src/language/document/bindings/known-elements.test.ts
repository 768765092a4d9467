import { expect, test } from "vitest";
import { readDocument } from "#systems";

function read(lines: string) {
  const { diagnostics, graph } = readDocument(`import math\nimport torch\n${lines}\n`);
  const y = graph.tensors.find(({ name }) => name === "y");
  return {
    shape: y?.isUnknown === true ? "unknown" : y?.shape,
    codes: diagnostics.map(({ code }) => code),
  };
}

/** Sizes as PyTorch 2.13 computes them from the same tensors. */
test.each`
  numbers                                                                                       | shape
  ${"torch.tensor([4, 5]).sum().item()"}                                                        | ${[9]}
  ${"int(torch.tensor([1.0, 2.0, 4.0]).prod())"}                                                | ${[8]}
  ${"torch.arange(5).tolist()[3]"}                                                              | ${[3]}
  ${"*torch.arange(1, 7).view(2, 3).tolist()[1]"}                                               | ${[4, 5, 6]}
  ${"*(torch.arange(3) * 2.5 + 1).int().tolist()"}                                              | ${[1, 3, 6]}
  ${"*torch.round(torch.tensor([0.5, 1.5, 2.5])).int().tolist()"}                               | ${[0, 2, 2]}
  ${"*torch.round(torch.log(torch.arange(2, 5) * 9.5) * 2).long().tolist()"}                    | ${[6, 7, 7]}
  ${"*(torch.round(torch.divide(24 * torch.pow(2.6, torch.arange(2)), 8)) * 8).int().tolist()"} | ${[24, 64]}
  ${"*torch.cumsum(torch.tensor([2, 1, 3]), 0).tolist()"}                                       | ${[2, 3, 6]}
  ${"*torch.cat([torch.tensor([2]), torch.tensor([1, 3])]).tolist()"}                           | ${[2, 1, 3]}
  ${"*(10 - torch.arange(6)[1:3]).tolist()"}                                                    | ${[9, 8]}
  ${"torch.tensor([3, 8, 5]).max().item()"}                                                     | ${[8]}
  ${"(torch.tensor([3, 8, 5]) % 3).sum().item()"}                                               | ${[4]}
  ${"7 if torch.tensor(0.1) == 0.1 else 2"}                                                     | ${[7]}
  ${"7 if (torch.tensor([3, 8]) > 4).sum() == 1 else 2"}                                        | ${[7]}
  ${"7 if torch.linspace(0, 0.0, 4)[2] > 0 else 2"}                                             | ${[2]}
  ${"7 if torch.linspace(0, 0.1, 1)[0].item() > 0 else 2"}                                      | ${[2]}
  ${"7 if torch.linspace(0.5, 2, 1) > 0.4 else 2"}                                              | ${[7]}
  ${"7 if torch.tensor([[1, 2], [3, 4]])[1:2, 0:1] > 2 else 2"}                                 | ${[7]}
  ${"int(torch.round(torch.tensor(2.5) * 0.37, decimals=1) * 7)"}                               | ${[6]}
  ${"*torch.arange(6)[-9:3].tolist()[1:]"}                                                      | ${[1, 2]}
  ${"*torch.arange(6)[-2:].tolist()"}                                                           | ${[4, 5]}
  ${"*torch.stack([torch.arange(2), torch.arange(2, 4)], 0)[1].tolist()"}                       | ${[2, 3]}
  ${"*torch.arange(6).view(2, 3)[:, 1].tolist()"}                                               | ${[1, 4]}
`("torch.zeros($numbers) is known: the numbers stand in the text", ({ numbers, shape }) => {
  expect(read(`y = torch.zeros(${numbers})`)).toEqual({ shape, codes: [] });
});

/** Elements are unknown when rounding of the last digit decides, or when they are random. */
test.each`
  numbers
  ${"int((torch.log(torch.tensor(8.0)) / math.log(2)).item())"}
  ${"int(torch.floor(torch.log2(torch.tensor(8.0))))"}
  ${"int(torch.randn(3).sum())"}
  ${"int(torch.tensor(2 ** 40).pow(3))"}
  ${"torch.stack([torch.arange(2), torch.arange(2, 4)], 1).tolist()[0][1]"}
  ${"torch.cat([torch.ones(1, 2), torch.zeros(1, 2)], 1).int().tolist()[0][1]"}
  ${"int(((torch.ones(2) > 0) + (torch.ones(2) > 0)).sum())"}
  ${"int(torch.eye(3).sum())"}
  ${"int(torch.empty(1))"}
  ${"torch.tensor([2.7, 1.2], dtype=torch.int64)[0].item()"}
  ${"torch.tensor([-1, 1], dtype=torch.uint8)[0].item()"}
`("torch.zeros($numbers) is not known", ({ numbers }) => {
  const { shape, codes } = read(`y = torch.zeros(${numbers})`);
  expect(shape).toBe("unknown");
  expect(codes).toContain("document/unknown-value");
});

test("an integer is no longer the number that it was made of: it decides no condition", () => {
  const lines =
    "t = torch.tensor([2.7, 1.2], dtype=torch.int64)\ny = torch.zeros(7 if t[0] > 2 else 2)";
  expect(read(lines).codes).toEqual(["document/branch-on-data"]);
});

/** A tensor's constant is unknown after a write into it, or into a view of it. */
test.each`
  write
  ${"t[1] = 5"}
  ${"t.fill_(4)"}
  ${"t.uniform_()"}
  ${"v = t[1:2]\nv += 3"}
  ${"t[0:2].zero_()"}
  ${"t.view(3, 1)[0].add_(1)"}
  ${"for each in t:\n    each += 1"}
  ${"torch.nn.init.normal_(t)"}
  ${"torch.add(t, t, out=t)"}
  ${"torch.relu_(t)"}
  ${"torch.nn.functional.relu(t, inplace=True)"}
`("after $write the elements of t are not known", ({ write }) => {
  expect(read(`t = torch.ones(3)\n${write}\ny = torch.zeros(int(t.sum()))`).shape).toBe("unknown");
});

test.each`
  write                                 | shape
  ${"t += 1"}                           | ${6}
  ${"t.mul_(2)"}                        | ${6}
  ${"t += 1\nt[0] = 5"}                 | ${"unknown"}
  ${"v = t[:2]\nt += 1\nt = v"}         | ${"unknown"}
  ${"t += 1\nv = t[:2]\nv += 3"}        | ${"unknown"}
  ${"t += 1\nv = t[:2]\nt -= 1\nt = v"} | ${"unknown"}
`("after $write the sum of the elements of t is $shape", ({ write, shape }) => {
  const text = `t = torch.ones(3)\n${write}\ny = torch.zeros(int(t.sum()))`;
  expect(read(text).shape).toEqual(shape === "unknown" ? shape : [shape]);
});

test("places that were drawn anew are not held against the numbers that stood there", () => {
  const lines = "i = torch.full((2,), 9)\ni.random_(0, 3)\ny = torch.zeros(4, 6)[i]";
  expect(read(lines)).toEqual({ shape: [2, 6], codes: [] });
});

/** Elements of arrays as in NumPy 2; unknown after a write or a truncation. */
test.each`
  lines                                         | shape
  ${"r = np.array([3, 8])"}                     | ${[3, 8]}
  ${"r = np.linspace(2, 4, 3)"}                 | ${[2, 3, 4]}
  ${"r = np.ones(2)\nr[1] = 5"}                 | ${"unknown"}
  ${"r = np.array([2.7, 1.2], dtype=np.int64)"} | ${"unknown"}
`("of $lines the list is $shape", ({ lines, shape }) => {
  const text = `import numpy as np\n${lines}\ny = torch.zeros(*[int(n) for n in r.tolist()])`;
  expect(read(text).shape).toEqual(shape);
});
