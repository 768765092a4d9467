import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** The shapes of what a text with NumPy makes, and what is said of it. */
function read(text: string): { readonly shapes: Record<string, unknown>; readonly said: string[] } {
  const { graph, diagnostics } = readDocument(`import numpy as np\nimport torch\n${text}\n`);
  const shapes = Object.fromEntries(
    (graph?.tensors ?? []).map(({ name, shape }) => [name, shape] as const),
  );
  return { shapes, said: diagnostics.map(({ message }) => message) };
}

test("a number of NumPy has the methods of an array of no dims, also where it is computed with", () => {
  const { shapes, said } = read(`n = 5 * np.ceil(np.log(16)).astype("int").item()
x = torch.zeros(n, (np.sqrt(16.0) + 1).astype(int), np.prod([2, 3]).item(), np.float32(2.5).astype(np.int64))
y = torch.zeros(np.log2(8).shape + (int(np.sqrt(9.0).tolist()),))`);
  expect(said).toEqual([]);
  expect(shapes).toMatchObject({ x: [15, 5, 6, 2], y: [3] });
});

test("a number of Python has none of them, also one made of NumPy's", () => {
  const { said } = read("x = torch.zeros(float(np.sqrt(16.0)).astype(int))");
  expect(said).toEqual(["'float' object has no attribute 'astype'"]);
});

test("the largest of a small array is known, and its elements behind an operator in place", () => {
  const { shapes, said } = read(`m = np.array([1, 2, 2])
rows = [torch.zeros(3) for _ in range(m.max())]
x = torch.stack(rows)
before = m[:2]
m -= 1
y = torch.zeros(tuple([2 if each > 0 else 1 for each in m]))`);
  expect(said).toEqual([]);
  expect(shapes).toMatchObject({ x: [2, 3], y: [1, 2, 2] });
});

test("what shares elements with an array that is changed in place is not known", () => {
  const { said } = read(`m = torch.tensor([1, 2, 2])
before = m[:2]
m -= 1
y = torch.zeros(int(before.max()), 2)`);
  expect(said).toHaveLength(1);
});
