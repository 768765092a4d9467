import { expect, test } from "vitest";
import { compile } from "./compile.ts";
import { upstreamRun } from "./upstream-run.ts";

/** fc1, relu and fc2 on two devices, each with the given cut. */
function network(first: string, act: string, second: string): string {
  const cut = (name: string, axis: string) => (axis === "" ? "" : `strategy(${name}, ${axis}="d")`);
  return `import nnscaler, torch
mesh = Mesh(d=2)
# annotation: b k+, n k+ -> b n
def fc(x, w):
    return torch.matmul(x, w.t())
# annotation: b h -> b h
def act(x):
    return torch.relu(x)
x = Tensor((4, 8))
w1 = Parameter((16, 8))
w2 = Parameter((8, 16))
h = fc(x, w1)
a = act(h)
y = fc(a, w2)
${cut("h", first)}
${cut("a", act)}
${cut("y", second)}
`;
}

/** Names of the redistribution pairs on the edges between operators, in order. */
function pairsOf(text: string): readonly string[] {
  const rows = upstreamRun(compile(text))?.rows ?? [];
  return rows.flatMap((row) =>
    row.kind === "edge" && row.theirs.kind === "planned"
      ? (/calls it (\w+)\./.exec(row.theirs.why)?.[1] ?? [])
      : [],
  );
}

// dimops.md §6.3
test.each`
  first  | act    | second | pairs
  ${"k"} | ${""}  | ${""}  | ${["AllReduceIdentity"]}
  ${"k"} | ${"b"} | ${"b"} | ${["ReduceScatterAllGather"]}
  ${"b"} | ${"b"} | ${"n"} | ${["AllGatherReduceScatter"]}
  ${"n"} | ${"b"} | ${"b"} | ${["AllToAllAllToAll"]}
  ${"n"} | ${"h"} | ${"k"} | ${[]}
  ${"b"} | ${"b"} | ${"b"} | ${[]}
`("[§6.3] fc1 along $first, relu along $act, fc2 along $second: $pairs", (row) => {
  expect(pairsOf(network(row.first, row.act, row.second))).toEqual(row.pairs);
});
