import { expect, test } from "vitest";
import { compile } from "#compile";
import { readDocument } from "#systems";

const head = `import torch
from torch import nn
import torch.nn.functional as F
x = torch.ones(8, 16, dtype=torch.bfloat16)
i = torch.arange(8)
`;

function typesOf(lines: string, before = head) {
  const { graph, diagnostics } = readDocument(`${before}${lines}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return new Map(graph.tensors.map(({ name, dtype }) => [name, dtype]));
}

/** What PyTorch 2.13 answers to the same questions. */
test.each`
  question                                                          | answer
  ${"x.dtype == torch.bfloat16"}                                    | ${true}
  ${"x.dtype is torch.bfloat16"}                                    | ${true}
  ${"x.dtype == torch.float32"}                                     | ${false}
  ${"torch.float == torch.float32 and torch.half == torch.float16"} | ${true}
  ${"torch.long == torch.int64 and torch.double == torch.float64"}  | ${true}
  ${"x.dtype in (torch.float16, torch.bfloat16)"}                   | ${true}
  ${"{torch.bfloat16: True}.get(x.dtype, False)"}                   | ${true}
  ${"isinstance(x.dtype, torch.dtype)"}                             | ${true}
  ${"isinstance(x.dtype, str)"}                                     | ${false}
  ${"str(x.dtype) == 'torch.bfloat16'"}                             | ${true}
  ${"f'{i.dtype}' == 'torch.int64'"}                                | ${true}
  ${"getattr(torch, 'bfloat16') == x.dtype"}                        | ${true}
  ${"x.dtype.is_floating_point and not i.dtype.is_floating_point"}  | ${true}
  ${"x.is_floating_point() and not torch.is_floating_point(i)"}     | ${true}
  ${"x.dtype.itemsize == 2 and x.element_size() == 2"}              | ${true}
  ${"torch.finfo(x.dtype).min < -3e38"}                             | ${true}
  ${"torch.finfo(torch.float16).max == 65504"}                      | ${true}
  ${"torch.finfo(torch.bfloat16).bits == 16"}                       | ${true}
  ${"torch.iinfo(torch.int32).max == 2147483647"}                   | ${true}
  ${"torch.iinfo(i.dtype).min == -9223372036854775808"}             | ${true}
  ${"torch.promote_types(x.dtype, torch.float16) == torch.float32"} | ${true}
  ${"torch.result_type(i, 1.5) == torch.float32"}                   | ${true}
  ${"torch.get_default_dtype() == torch.float32"}                   | ${true}
  ${"torch.is_autocast_enabled()"}                                  | ${false}
  ${"nn.Linear(2, 2).half().weight.dtype == torch.float16"}         | ${true}
  ${"next(nn.Linear(2, 2).double().parameters()).dtype == x.dtype"} | ${false}
`("$question is $answer", ({ question, answer }) => {
  const types = typesOf(`y = x.double() if ${question} else x.half()`);
  expect(types.get("y")).toBe(answer ? "f64" : "f16");
});

test.each`
  lines                                                                      | type
  ${"y = nn.Linear(16, 4).weight"}                                           | ${"bf16"}
  ${"y = torch.zeros(2)"}                                                    | ${"bf16"}
  ${"y = torch.tensor(0.5)"}                                                 | ${"bf16"}
  ${"y = i / 2"}                                                             | ${"bf16"}
  ${"y = i * 0.5"}                                                           | ${"bf16"}
  ${"y = torch.ones(2, dtype=torch.float32)"}                                | ${"f32"}
  ${"torch.set_default_dtype(torch.float32)\ny = torch.zeros(2)"}            | ${"f32"}
  ${"y = torch.zeros(2, dtype=torch.get_default_dtype())"}                   | ${"bf16"}
  ${"torch.set_default_tensor_type(torch.DoubleTensor)\ny = torch.zeros(2)"} | ${"f64"}
  ${"y = torch.FloatTensor(2, 3)"}                                           | ${"f32"}
  ${"y = torch.LongTensor([1, 2])"}                                          | ${"i64"}
`("with bfloat16 as the default $lines gives $type", ({ lines, type }) => {
  const start = `${head}torch.set_default_dtype(torch.bfloat16)\n`;
  expect(typesOf(lines, start).get(lines.includes(".weight") ? "weight" : "y")).toBe(type);
});

const net = `class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 16)
        self.register_buffer("scale", torch.ones(16))
        self.places = nn.Buffer(torch.arange(16))
        self.shift = nn.Buffer(torch.zeros(16))
    def forward(self, x):
        return self.up(x) * self.scale
m = Net()
`;

test.each`
  change                              | weight    | scale     | places
  ${"m.to(torch.bfloat16)"}           | ${"bf16"} | ${"bf16"} | ${"i64"}
  ${"m.half()"}                       | ${"f16"}  | ${"f16"}  | ${"i64"}
  ${"m.double().float()"}             | ${"f32"}  | ${"f32"}  | ${"i64"}
  ${"m.to('cuda', torch.bfloat16)"}   | ${"bf16"} | ${"bf16"} | ${"i64"}
  ${"m.to(dtype=torch.float16)"}      | ${"f16"}  | ${"f16"}  | ${"i64"}
  ${"m.to(torch.ones(1).bfloat16())"} | ${"bf16"} | ${"bf16"} | ${"i64"}
  ${"m.to('cuda')"}                   | ${"f32"}  | ${"f32"}  | ${"i64"}
  ${"m.up.bfloat16()"}                | ${"bf16"} | ${"f32"}  | ${"i64"}
  ${"m.type(torch.float64)"}          | ${"f64"}  | ${"f64"}  | ${"f64"}
`(
  "after $change the net holds $weight, $scale and $places",
  ({ change, weight, scale, places }) => {
    const asked = ["m.up.weight", "m.scale", "m.places", "m.shift"].map(
      (each, at) => `q${at} = ${each} + 0`,
    );
    const types = typesOf(`${net}${change}\n${asked.join("\n")}`);
    const found = ["q0", "q1", "q2", "q3"].map((name) => types.get(name));
    expect(found).toEqual([weight, scale, places, scale]);
  },
);

/** The codes of what is said to be otherwise in PyTorch, and how `y` is read. */
function saidOf(lines: string, before = head) {
  const { graph, diagnostics } = readDocument(`${before}${lines}\n`);
  const codes = diagnostics.flatMap(({ code, upstream }) => (upstream === undefined ? [] : [code]));
  return { codes, dtype: graph.tensors.find(({ name }) => name === "y")?.dtype };
}

test.each`
  lines                                                          | codes                     | dtype
  ${"y = torch.matmul(x, torch.ones(16, 4))"}                    | ${["torch/mixed-dtypes"]} | ${"bf16"}
  ${"y = nn.Linear(16, 4)(x)"}                                   | ${["torch/mixed-dtypes"]} | ${"bf16"}
  ${"y = nn.Linear(16, 4).bfloat16()(x)"}                        | ${[]}                     | ${"bf16"}
  ${"y = nn.LSTM(16, 4)(x)[0]"}                                  | ${["torch/mixed-dtypes"]} | ${"bf16"}
  ${"y = i.softmax(0)"}                                          | ${["torch/wrong-dtype"]}  | ${"i64"}
  ${"y = (x > 0).mean()"}                                        | ${["torch/wrong-dtype"]}  | ${"bool"}
  ${"y = (x > 0).float().mean()"}                                | ${[]}                     | ${"f32"}
  ${"y = i.mean(dtype=torch.float32)"}                           | ${[]}                     | ${"f32"}
  ${"y = x - (x > 0)"}                                           | ${["torch/wrong-dtype"]}  | ${"bf16"}
  ${"y = ~x"}                                                    | ${["torch/wrong-dtype"]}  | ${"bf16"}
  ${"y = F.embedding(x, torch.ones(4, 4))"}                      | ${["torch/wrong-dtype"]}  | ${"f32"}
  ${"with torch.autocast('cuda'):\n    y = nn.Linear(16, 4)(x)"} | ${[]}                     | ${"f16"}
`("of $lines is said: $codes", ({ lines, codes, dtype }) => {
  expect(saidOf(lines)).toEqual({ codes, dtype });
});

// An input of which nobody says a dtype takes the one that its product wants.
test.each`
  input                           | type      | said
  ${"a = Tensor((8, 16))"}        | ${"bf16"} | ${[]}
  ${'a = Tensor((8, 16), "f32")'} | ${"f32"}  | ${["torch/mixed-dtypes"]}
`("$input before weights of bfloat16 is $type", ({ input, type, said }) => {
  const lines = `${input}\ny = nn.Linear(16, 4).to(torch.bfloat16)(a)`;
  expect(saidOf(lines).codes).toEqual(said);
  const { graph } = readDocument(`${head}${lines}\n`);
  expect(graph.tensors.find(({ name }) => name === "a")?.dtype).toBe(type);
});

test.each`
  value                               | gradients                                            | codes
  ${"(h * (h > 0)).sum()"}            | ${["y.grad", "mul_1.grad", "h.grad", "weight.grad"]} | ${[]}
  ${"h.argmax(dim=-1).float().sum()"} | ${["y.grad"]}                                        | ${["training/no-gradient"]}
`("gradients flow through floats alone: of $value they are $gradients", (row) => {
  const text = `${head}h = nn.Linear(16, 4, bias=False).bfloat16()(x)\ny = ${row.value}\ntrain(y)\n`;
  const { program, diagnostics } = compile(text);
  const names = program.graph.tensors.flatMap(({ name, role }) =>
    role === "gradient" ? [name] : [],
  );
  expect(names).toEqual(row.gradients);
  expect(diagnostics.map(({ code }) => code)).toEqual(row.codes);
});

test.each(["np.einsum('a,b->ab', x, w)", "np.dot(x, w)", "np.matmul(x, w)"])(
  "arrays of several data types are promoted: %s",
  (call) => {
    const lines = `import numpy as np\nx = np.arange(4, dtype=np.float32)\nw = np.arange(4, dtype=np.float64)\nh = ${call}`;
    const { graph, diagnostics } = readDocument(`${head}${lines}\n`);
    expect(diagnostics.map(({ code }) => code)).not.toContain("torch/mixed-dtypes");
    expect(graph.tensors.find(({ name }) => name === "h")?.dtype).toBe("f64");
  },
);

test("a power of two numbers is a number, whole where they are", () => {
  const lines = "import numpy as np\nh = torch.zeros(np.power(2, 3), int(np.power(2.0, 0.5) * 10))";
  const { graph } = readDocument(`${head}${lines}\ny = h + 1\n`);
  expect(graph.tensors.find(({ name }) => name === "h")?.shape).toEqual([8, 14]);
});

test("what an unknown function makes of token ids is not said to be whole numbers", () => {
  const lines =
    "ids = torch.randint(0, 9, (2, 4))\ny = F.linear(F.dropout(table(ids)), torch.ones(3, 4))";
  const { codes } = saidOf(`from elsewhere import table\n${lines}`);
  expect(codes).toEqual(["document/unknown-module"]);
});

test.each([
  "torch.LongTensor(np.random.randint(0, 9, 4))",
  "torch.autograd.Variable(torch.LongTensor(np.zeros(4)))",
  "torch.from_numpy(np.random.randint(0, 9, 4))",
])("tensors of a class have its data type: %s", (made) => {
  const found = saidOf(
    `import numpy as np\ny = nn.Embedding(9, 4)(${made})\nm = np.mean([np.mean(np.ones(3) > 0), y.detach().sum()])`,
  );
  expect(found.codes).toEqual([]);
});
