import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDocument } from "#systems";

/** What NumPy 2.4 gives for a call: a shape, `refused`, the name of a class, or what a row holds. */
type Told = string | readonly Told[];

/** Calls that NumPy was asked: `engines/record_numpy_calls.py`. */
const asked: Readonly<Record<string, Told>> = JSON.parse(
  readFileSync("src/systems/torch/bindings/numpy-calls.json", "utf8"),
);

/** What calls begin with, as the script has it. */
const head = `import numpy as np
a = np.zeros((2, 3))
c = np.ones((2, 3, 4))
i = np.arange(6).reshape(2, 3)
v = np.array([3, 1, 2])
m = a > 0
`;

/** In the words of the table what a value is. */
const teller = `def told(y):
    if y is None: return "None"
    if isinstance(y, (tuple, list)): return [told(each) for each in y]
    if isinstance(y, (bool, int, float)): return "()"
    return "x".join([str(size) for size in y.shape]) or "()"
`;

function isShape(told: Told): boolean {
  return typeof told === "string" ? /^(?:\(\)|[\dx]+|None)$/u.test(told) : told.every(isShape);
}

function saidOf(call: string, told: Told): "error" | "unknown" | "nothing" {
  const checks = isShape(told) ? `\nassert told(y) == ${JSON.stringify(told)}` : "";
  const { diagnostics } = readDocument(`${head}${teller}y = ${call}${checks}\n`);
  const isWarned = diagnostics.some(({ severity }) => severity === "warning");
  const isWrong = diagnostics.some(
    ({ severity, code }) =>
      severity === "error" && !(isWarned && code === "python/assertion-error"),
  );
  return isWrong ? "error" : isWarned ? "unknown" : "nothing";
}

/** Calls that are refused, or have another shape, although NumPy takes them. */
const refused: readonly string[] = ["a.__len__()"];

describe("calls of arrays as NumPy takes them", () => {
  const calls = Object.entries(asked);

  test("what NumPy refuses is an error, or not known", () => {
    const silent = calls.filter(
      ([call, told]) => told === "refused" && saidOf(call, told) === "nothing",
    );
    expect(silent.map(([call]) => call)).toEqual([]);
  });

  test("what NumPy takes has its shape, or one that is not known", () => {
    const wrong = calls.filter(
      ([call, told]) => told !== "refused" && saidOf(call, told) === "error",
    );
    expect(wrong.map(([call]) => call)).toEqual(refused);
  });
});

/** What NumPy 2.4 gives for a call: a data type, or `refused`; by the same script. */
const types: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("src/systems/torch/bindings/numpy-dtypes.json", "utf8"),
);

/** Arrays of other data types, as the script has them. */
const typedHead = `${head}f = np.ones((2, 3), dtype=np.float32)
h = np.ones((2, 3), dtype='float16')
u = np.zeros((2, 3), dtype=np.uint8)
`;

test("what NumPy makes has its data type, and what it refuses is an error", () => {
  const wrong = Object.entries(types).filter(([call, type]) => {
    const asked = `y = ${call}\nassert str(y.dtype).split(".")[-1] == "${type}"\n`;
    return errorsOf(`${typedHead}${asked}`).length > 0 !== (type === "refused");
  });
  expect(wrong).toEqual([]);
});

test.each(["complex", "np.complex64", "object", "'U5'", "np.longdouble"])(
  "an array of %s has no data type here, which is said",
  (type) => {
    const { diagnostics } = readDocument(`${head}y = np.zeros((2, 3), ${type})\n`);
    expect(diagnostics.map(({ severity }) => severity)).toContain("warning");
  },
);

function errorsOf(text: string): readonly string[] {
  const { diagnostics } = readDocument(text);
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

const both = "import numpy as np\nimport torch\na = np.zeros((2, 3))\n";

test.each([
  "torch.from_numpy(a).repeat(2, 2)",
  "torch.as_tensor(a).unsqueeze(0)",
  "torch.tensor(a).view(3, 2)",
  "torch.Tensor(a).permute(1, 0)",
  "torch.ones(2, 3).numpy().repeat(2, axis=0)",
  "(torch.ones(2, 3).numpy() + 1).std(ddof=1)",
  "torch.from_numpy(a.repeat(2, axis=0)).view(2, 6)",
  "(torch.ones(2, 3) + a).unsqueeze(0)",
])("an array becomes a tensor and a tensor an array: %s", (call) => {
  expect(errorsOf(`${both}y = ${call}\n`)).toEqual([]);
});

test.each`
  call                                  | message
  ${"torch.from_numpy(a).repeat(2)"}    | ${"repeat(): 1 numbers cannot repeat 2 dims"}
  ${"torch.ones(2, 3).numpy().numel()"} | ${"'numpy.ndarray' object has no attribute 'numel'"}
  ${"a.unsqueeze(0)"}                   | ${"'numpy.ndarray' object has no attribute 'unsqueeze'"}
  ${"a.sum(dim=0)"}                     | ${"sum() got an unexpected keyword argument 'dim'"}
  ${"(a + 1).repeat(2, 5)"}             | ${"axis 5 is out of bounds for array of dimension 2"}
`("$call: $message", ({ call, message }) => {
  expect(errorsOf(`${both}y = ${call}\n`)).toEqual([message]);
});

test("an array is no tensor to isinstance, and what changes it in place gives nothing", () => {
  const text = `${both}assert not isinstance(a, torch.Tensor)
assert isinstance(a, np.ndarray)
assert isinstance(torch.from_numpy(a), torch.Tensor)
assert not isinstance(torch.from_numpy(a), np.ndarray)
assert a.sort() is None and a.shape == (2, 3)
assert np.array([[1, 2], [3, 4]]).T.shape == (2, 2)
assert np.array([3, 1, 2]).tolist() == [3, 1, 2]
assert round(a.mean(), 2).shape == ()
print(round(float(a.mean()), 2), f"{a.std():.2f}", "%d" % a.sum())
assert np.array([1, 2]).dtype == torch.from_numpy(np.array([3])).numpy().dtype
b = np.ones((2, 3))
b += [1, 2, 3]
assert b.shape == (2, 3)
b.shape = (3, 2)
assert b.shape == (3, 2)
`;
  expect(errorsOf(text)).toEqual([]);
});

test("an array of MindSpore's texts has NumPy's forms, and the Tensor of it MindSpore's", () => {
  const text = `import numpy as np
import mindspore as ms
from mindspore import Tensor
a = np.ones((2, 3)).repeat(2, axis=0).squeeze().transpose()
assert a.shape == (3, 4)
x = Tensor(a.astype(np.float32))
assert x.shape == (3, 4)
y = x.expand_dims(0)
assert y.shape == (1, 3, 4)
z = x.asnumpy().repeat(2, axis=0)
assert z.shape == (6, 4)
`;
  expect(errorsOf(text)).toEqual([]);
});
