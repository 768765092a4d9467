import { expect, test } from "vitest";
import { compile } from "#compile";
import { applyGesture } from "./gesture.ts";
import type { MeshGesture } from "./gesture-kinds.ts";

const body = `x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
`;

/** A gesture from its short text: `resize dp 4`, `order mp dp`, `machine 8xH100 4,2`. */
function gestureOf(text: string): MeshGesture {
  const [kind = "", axis = "", more = ""] = text.split(" ");
  switch (kind) {
    case "add":
      return { kind: "add-axis", axis, size: Number(more) };
    case "remove":
      return { kind: "remove-axis", axis };
    case "resize":
      return { kind: "resize-axis", axis, size: Number(more) };
    case "rename":
      return { kind: "rename-axis", axis, to: more };
    case "order":
      return { kind: "order-axes", axes: text.split(" ").slice(1) };
    default: {
      const sizes = more === "" ? {} : { sizes: more.split(",").map(Number) };
      return { kind: "set-hardware", hardware: axis.replaceAll("_", " "), ...sizes };
    }
  }
}

function edited(source: string, gesture: string): string {
  const outcome = applyGesture(source, gestureOf(gesture));
  return outcome.ok ? outcome.source : outcome.reason;
}

test.each`
  mesh                                                 | gesture                          | after
  ${"Mesh(dp=2, mp=2)"}                                | ${"resize mp 8"}                 | ${"Mesh(dp=2, mp=8)"}
  ${"Mesh(dp=2, mp=2)"}                                | ${"add tp 4"}                    | ${"Mesh(dp=2, mp=2, tp=4)"}
  ${"Mesh()"}                                          | ${"add dp 2"}                    | ${"Mesh(dp=2)"}
  ${'Mesh(hardware="8xH100")'}                         | ${"add dp 8"}                    | ${'Mesh(dp=8, hardware="8xH100")'}
  ${"Mesh(dp=2, mp=2, )"}                              | ${"add tp 4"}                    | ${"Mesh(dp=2, mp=2, tp=4, )"}
  ${"Mesh(dp=2, mp=4)"}                                | ${"order mp dp"}                 | ${"Mesh(mp=4, dp=2)"}
  ${"Mesh(a=2, b = 4, c=8)"}                           | ${"order c b a"}                 | ${"Mesh(c=8, b = 4, a=2)"}
  ${"Mesh(dp=2, mp=2, devices=[0, 2, 1, 3])"}          | ${"order mp dp"}                 | ${"Mesh(mp=2, dp=2, devices=[0, 2, 1, 3])"}
  ${"Mesh(dp=2, mp=2, devices=[0, 2, 1, 3])"}          | ${"resize mp 4"}                 | ${"Mesh(dp=2, mp=4)"}
  ${"Mesh(devices=[0, 2, 1, 3], dp=2, mp=2)"}          | ${"resize mp 4"}                 | ${"Mesh(dp=2, mp=4)"}
  ${"Mesh(dp=2, mp=2)"}                                | ${"remove mp"}                   | ${"Mesh(dp=2)"}
  ${"Mesh(dp=2, mp=2)"}                                | ${"remove dp"}                   | ${"Mesh(mp=2)"}
  ${"Mesh(dp=2)"}                                      | ${"remove dp"}                   | ${"Mesh()"}
  ${"Mesh(\n    dp=2,  # data\n    mp=2,  # model\n)"} | ${"resize dp 4"}                 | ${"Mesh(\n    dp=4,  # data\n    mp=2,  # model\n)"}
  ${"Mesh(\n    dp=2,  # data\n    mp=2,  # model\n)"} | ${"remove mp"}                   | ${"Mesh(\n    dp=2,  # data\n      # model\n)"}
  ${"Mesh(dp=2, mp=2)"}                                | ${"machine 4xH100"}              | ${'Mesh(dp=2, mp=2, hardware="4xH100")'}
  ${"Mesh(dp=2, hardware='8xA100', mp=2)"}             | ${"machine H100"}                | ${'Mesh(dp=2, hardware="H100", mp=2)'}
  ${"Mesh(dp=2, mp=2)"}                                | ${"machine 32x8xH100 32,8"}      | ${'Mesh(dp=32, mp=8, hardware="32x8xH100")'}
  ${"Mesh()"}                                          | ${"machine 4x4x8_TPU_v5p 4,4,8"} | ${'Mesh(dp=4, tp=4, pp=8, hardware="4x4x8 TPU v5p")'}
`("$mesh, $gesture: $after", ({ mesh, gesture, after }) => {
  const text = (each: string) => `# ours: (a "mesh")\nmesh = ${each}  # here\n${body}`;
  expect(edited(text(mesh), gesture)).toBe(text(after));
});

test.each`
  uses                                          | after
  ${'strategy(h, m="dp", n="mp")\n'}            | ${'strategy(h, m="dp")\n'}
  ${'strategy(h, m=("dp", "mp"))\n'}            | ${'strategy(h, m="dp")\n'}
  ${'strategy(h, {"m": "mp"})\n'}               | ${'strategy(h, {"m": ()})\n'}
  ${'place(w, layout("None", ("mp", "dp")))\n'} | ${'place(w, layout("None", "dp"))\n'}
  ${'l = layout("mp", "None")\nplace(x, l)\n'}  | ${'l = layout("None", "None")\nplace(x, l)\n'}
  ${'strategy(h, k="mp")\ny = relu(h)\n'}       | ${"strategy(h)\ny = relu(h)\n"}
`("with an axis its uses go: $uses", ({ uses, after }) => {
  const text = (axes: string, rest: string) => `mesh = Mesh(${axes})\n${body}${rest}`;
  expect(edited(text("dp=2, mp=2", uses), "remove mp")).toBe(text("dp=2", after));
});

test("an axis that one line names differently each time it runs stays, and why is said", () => {
  const source = `mesh = Mesh(dp=2, mp=2)\n${body}y = relu(h)\nfor t, a in (("h", "mp"), ("y", "dp")):\n    strategy(t, m=a) if t == "h" else None\n    place(t, layout(a, "None"))\n`;
  expect(edited(source, "remove mp")).toContain("cannot");
});

test.each`
  before                                                                                     | gesture                   | after
  ${body}                                                                                    | ${"add dp 2"}             | ${`mesh = Mesh(dp=2)\n${body}`}
  ${`# Notes\n\n# annotation: a b -> a b\n${body}`}                                          | ${"add dp 2"}             | ${`# Notes\n\nmesh = Mesh(dp=2)\n# annotation: a b -> a b\n${body}`}
  ${`import torch\nfrom math import pi\n${body}`}                                            | ${"add dp 2"}             | ${`import torch\nfrom math import pi\nmesh = Mesh(dp=2)\n${body}`}
  ${`#!/bin/python\n"""A net.\n\nimport of it\n"""\n\n${body}`}                              | ${"add dp 2"}             | ${`#!/bin/python\n"""A net.\n\nimport of it\n"""\n\nmesh = Mesh(dp=2)\n${body}`}
  ${`'A net.'\nfrom __future__ import annotations\nfrom math import (\n    pi,\n)\n${body}`} | ${"add dp 2"}             | ${`'A net.'\nfrom __future__ import annotations\nfrom math import (\n    pi,\n)\nmesh = Mesh(dp=2)\n${body}`}
  ${`"words" + 'w'\n${body}`}                                                                | ${"add dp 2"}             | ${`mesh = Mesh(dp=2)\n"words" + 'w'\n${body}`}
  ${`mesh = 3\n${body}`}                                                                     | ${"add dp 2"}             | ${`Mesh(dp=2)\nmesh = 3\n${body}`}
  ${""}                                                                                      | ${"add dp 2"}             | ${"mesh = Mesh(dp=2)\n"}
  ${body}                                                                                    | ${"machine 2x8xH100 2,8"} | ${`mesh = Mesh(dp=2, tp=8, hardware="2x8xH100")\n${body}`}
`("a text without a mesh gets one: $gesture", ({ before, gesture, after }) => {
  expect(edited(before, gesture)).toBe(after);
});

const cell = `
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul().shard(((2, 2), (2, 1)))
    def construct(self, x, w):
        return self.matmul(x, w)

net = Net()
shapes(x=(8, 8), w=(8, 8))
`;

test("an assumed mesh is written with the names that were assumed, or with another", () => {
  expect(compile(cell).mesh.status).toBe("assumed");
  expect(edited(cell, "rename d0 dp")).toMatch(/Mesh\(dp=2, d1=2\)/);
  expect(edited(cell, "order d1 d0")).toMatch(/Mesh\(d1=2, d0=2\)/);
});

test.each`
  gesture               | reason
  ${"add dp 2"}         | ${'the mesh already has an axis "dp"'}
  ${"add None 2"}       | ${'"None" is reserved'}
  ${"add 2x 2"}         | ${'"2x" is no name: letters, digits and _ only'}
  ${"remove tp"}        | ${'the mesh has no axis "tp"'}
  ${"order dp dp"}      | ${"the order does not name every axis once"}
  ${"machine 8xH1000"}  | ${/names no known machine/}
  ${"machine 8xH100 8"} | ${"the machine has 1 lengths, but the mesh has 2 axes"}
  ${"resize dp 999999"} | ${/at most 65536/}
`("$gesture is refused: $reason", ({ gesture, reason }) => {
  expect(edited(`mesh = Mesh(dp=2, mp=2)\n${body}`, gesture)).toMatch(reason);
});

const arranged = `layout = Layout((2, 2), alias_name=("r", "c"))
x = Tensor((8, 4))
y = ops.ReLU().shard((layout("r", "c"),))(x)
`;

test.each`
  gesture             | after
  ${"resize r 4"}     | ${arranged.replace("(2, 2)", "(4, 2)")}
  ${"machine 4xH100"} | ${`mesh = Mesh(r=2, c=2, hardware="4xH100")\n${arranged}`}
  ${"add z 2"}        | ${/its sizes, names and ranks change together/}
`("of a Layout's mesh, $gesture: $after", ({ gesture, after }) => {
  const text = edited(arranged, gesture);
  if (after instanceof RegExp) expect(text).toMatch(after);
  else expect(text).toBe(after);
});
