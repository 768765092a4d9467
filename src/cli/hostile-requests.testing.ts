import { hostile } from "../language/python/hostile.testing.ts";

/** A request as in a line of a batch. */
export interface FuzzedRequest {
  readonly command: string;
  readonly args: Json;
}

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Short requests that would take longer than allowed, by description. */
const named: Readonly<Record<string, FuzzedRequest>> = {
  "wildcards that nothing matches": program(
    "plan",
    `x = Tensor((8, 8))\n${"a".repeat(60)} = gelu(x)\nstrategy("${"*a".repeat(12)}*b", a="dp")\n`,
  ),
  "a common divisor of long integers": program(
    "evaluate",
    "import math\na = b = 1\nfor i in range(60000): a, b = b, a + b\nwhile True: math.gcd(a, b)",
  ),
  "roots of a long integer": program(
    "evaluate",
    "import math\nx = (1 << 1000000) - 1\nwhile True: math.isqrt(x)",
  ),
  "powers of long integers": program("evaluate", "pow(3, (1 << 20000) - 1, (1 << 20000) - 1)"),
  "a layout of many devices": program(
    "plan",
    "from mindspore import Layout\nl = Layout((1000000000,), ('a',))\nl('a')\n",
  ),
  "a layout of many axes": program(
    "plan",
    "from mindspore import Layout\nn = 100000\nl = Layout((1,) * n, tuple(map(str, range(n))))\n",
  ),
  "a mesh of many devices": program("plan", "mesh = Mesh(dp=10**18)\nx = Tensor((8, 8))\n"),
  "a shape of many dims": program("plan", "x = Tensor((2,) * 1000)\ny = gelu(x)\n"),
  "lines that end with carriage returns": program("check", "x y = (\r".repeat(5_000)),
  "backslashes behind a quote": program("check", `x = Tensor((8, 8))\n"${"\\\\".repeat(200)}\n`),
  "a table whose length is beyond all numbers": program(
    "check",
    gatherText("((4, 1), (1, 4))", "(65537**70, 8)"),
  ),
  "strategies of more devices than there can be": program(
    "check",
    gatherText("((2**70, 1), (4, 1))", "(0, 8)"),
  ),
  "more devices than a list can hold": program(
    "check",
    gatherText("((2**31, 1), (1, 1))", "(0, 8)"),
  ),
  "a function in place of a tensor": program(
    "run",
    "x = Tensor((8, 8))\ny = reshape(strategy, (32, 2))\n",
  ),
  "a size that is negative unless it is passed": program(
    "run",
    "# annotation: (h t) k -> h t k\ndef halves(x: torch.Tensor, h: int = -1): return x\n",
  ),
  "names that all objects inherit": program("check", "constructor toString __proto__ valueOf\n"),
  "lines that are continued": program("check", `${"\\\r\n".repeat(10_000)}x`),
  "open brackets of an annotation": parse("(".repeat(100_000)),
  "identifiers that outputs lack": parse(`${ids(15_000, "a")} -> ${ids(15_000, "b")}`),
  "outputs that lack identifiers": parse(`${ids(5_000, "a")} -> ${"a0, ".repeat(20_000)}a0`),
  "brackets that cannot be inferred": {
    command: "infer",
    args: {
      annotation: `${"(a b) ".repeat(5_000)}-> a`,
      shapes: [Array.from({ length: 5_000 }, () => 6)],
    },
  },
  "an operator of MindSpore on many devices": {
    command: "mindspore-operator",
    args: {
      op: "Add",
      shapes: [
        [6, 32],
        [6, 32],
      ],
      parameters: [1, 1],
      device_num: 65_536,
      rank: 0,
    },
  },
  "a plan for two tensors that a hundred operators read": program(
    "optimize",
    `mesh = Mesh(dp=4, mp=4)\nx = Tensor((512, 12))\nw = Parameter((12, 12))\n${"h = matmul(x, w)\n".repeat(100)}`,
  ),
  "a list of many tensors": program("plan", "x = Tensor((8, 8))\ny = concat([x] * 5000)\n"),
  "a redistribution of five prime axes": {
    command: "reshard",
    args: {
      mesh: [2, 3, 5, 7, 11].map((size) => [`a${size}`, size]),
      shape: [2310, 2310, 2310],
      from: "a2*a3,a5*a7,a11",
      to: "a11*a7,a3,a2*a5",
    },
  },
  "parentheses in parentheses": program("check", `x = ${"(".repeat(100_000)}1`),
  "a list of a range": program("evaluate", "list(range(10**9))"),
  "a list that is no graph": program("check", '[{"id": "x"}]'),
  "a value that holds itself many times": program(
    "evaluate",
    "t = (1,)\nfor i in range(60): t = (t, t)\nt",
  ),
};

/** Requests that must end soon, with their descriptions. */
export const hostileCases = Object.entries(named);

/** These requests, and the evaluator's hostile texts. */
export const hostileRequests: readonly FuzzedRequest[] = [
  ...Object.values(named),
  ...hostile.flatMap(([, text]) => [program("evaluate", text), program("check", text)]),
];

function program(command: string, text: string): FuzzedRequest {
  return { command, args: { program: text } };
}

function parse(annotation: string): FuzzedRequest {
  return { command: "parse", args: { annotation } };
}

function ids(count: number, letter: string): string {
  return Array.from({ length: count }, (_, at) => letter + at).join(" ");
}

/** A net with one gather, cut by a strategy and called with a table of a given shape. */
function gatherText(strategy: string, table: string): string {
  return [
    "import mindspore.nn as nn",
    "from mindspore import ops",
    "class Net(nn.Cell):",
    "    def __init__(self):",
    "        super().__init__()",
    `        self.gather = ops.Gather().shard(${strategy})`,
    "    def construct(self, table, ids):",
    "        return self.gather(table, ids, 0)",
    "net = Net()",
    `shapes(table=${table}, ids=(8, 8))`,
    `y = net(Tensor(${table}), Tensor((8, 8)))`,
  ].join("\n");
}
