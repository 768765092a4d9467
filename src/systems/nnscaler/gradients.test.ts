import { expect, test } from "vitest";
import { parseSplit, type Split } from "#core/dimops";
import { fanOutFault, type Reader, weightGradient } from "./fan-out.ts";
import { fusedPair, type GradientSplit, inputGradient, outputGradient } from "./fused-pair.ts";

function splitOf(text: string): Split {
  const split = parseSplit(text);
  if (split === undefined) throw new Error(text);
  return split;
}

function written(gradient: GradientSplit): string {
  if (gradient.kind === "chunk") return `chunk ${gradient.dims}`;
  return gradient.kind === "share" ? `share ${gradient.index}/${gradient.count}` : "whole";
}

// dimops.md §3, "Gradients"
test.each`
  split     | pieces | replicated | gradients
  ${"D1"}   | ${2}   | ${false}   | ${["chunk 1", "chunk 1"]}
  ${"D0,1"} | ${2}   | ${false}   | ${["chunk 0,1", "chunk 0,1"]}
  ${"R"}    | ${3}   | ${false}   | ${["share 0/3", "share 1/3", "share 2/3"]}
  ${"V"}    | ${2}   | ${false}   | ${["share 0/2", "share 1/2"]}
  ${"R"}    | ${2}   | ${true}    | ${["whole", "whole"]}
  ${"R"}    | ${1}   | ${false}   | ${["whole"]}
`("[§3] of an input $split $pieces pieces make $gradients", ({ split, pieces, ...row }) => {
  const made = Array.from({ length: pieces }, (_, index) =>
    written(inputGradient(splitOf(split), index, pieces, row.replicated)),
  );
  expect(made).toEqual(row.gradients);
});

test.each`
  split   | gradient
  ${"D0"} | ${"chunk 0"}
  ${"R"}  | ${"whole"}
  ${"V"}  | ${"whole"}
`("[§3] the gradient of an output $split is $gradient", ({ split, gradient }) => {
  expect(written(outputGradient(splitOf(split)))).toBe(gradient);
});

// dimops.md §6.3, on two devices
test.each`
  row                                     | producer      | consumer      | name
  ${"V → replicated op"}                  | ${"V split"}  | ${"R copied"} | ${"AllReduceIdentity"}
  ${"V → D0 op"}                          | ${"V split"}  | ${"D0 split"} | ${"ReduceScatterAllGather"}
  ${"V → column-partitioned linear"}      | ${"V split"}  | ${"R split"}  | ${"AllReduceAllReduce"}
  ${"R → column-partitioned linear"}      | ${"R copied"} | ${"R split"}  | ${"IdentityAllreduce"}
  ${"D0 → replicated op"}                 | ${"D0 split"} | ${"R copied"} | ${"AllGatherSplit"}
  ${"D → R as input of a partitioned op"} | ${"D0 split"} | ${"R split"}  | ${"AllGatherReduceScatter"}
  ${"D1 → D0"}                            | ${"D1 split"} | ${"D0 split"} | ${"AllToAllAllToAll"}
  ${"R → D0 op"}                          | ${"R copied"} | ${"D0 split"} | ${"SplitAllGather"}
  ${"replicated → replicated"}            | ${"R copied"} | ${"R copied"} | ${undefined}
  ${"same pieces"}                        | ${"D0 split"} | ${"D0 split"} | ${undefined}
`("[§6.3] $row is $name", ({ producer, consumer, name }) => {
  const [from, to] = [producer, consumer].map((text: string) => {
    const [split = "", kind] = text.split(" ");
    return { split: splitOf(split), isReplicated: kind === "copied" };
  });
  if (from === undefined || to === undefined) throw new Error("no ends");
  const pair = fusedPair(from, to);
  expect(pair.name).toBe(name);
  if (name === undefined) expect([pair.forward, pair.backward]).toEqual([undefined, undefined]);
});

/** Readers from texts: `a:0|1 split` reads the pieces 0 and 1, and is partitioned. */
function readers(...texts: readonly string[]): readonly Reader[] {
  return texts.map((text) => {
    const [operator = "", rest = ""] = text.split(":");
    const [blocks = "", kind] = rest.split(" ");
    return { operator, blocks, isPartitioned: kind === "split" };
  });
}

// dimops.md §3, the multiref rule
test.each`
  list                              | kind
  ${["a:0|1 split"]}                | ${undefined}
  ${["a:0|1 split", "b:0|1 split"]} | ${undefined}
  ${["a:01 copied", "b:01 copied"]} | ${undefined}
  ${["a:0|1 split", "b:01 split"]}  | ${"AssertionError"}
  ${["a:0|1 split", "b:01 copied"]} | ${"AssertionError"}
  ${["a:01 split", "b:01 copied"]}  | ${"RuntimeError"}
`("[§3] several readers $list: $kind", ({ list, kind }) => {
  const fault = fanOutFault("x", readers(...list));
  expect(fault?.kind).toBe(kind);
  if (kind === "RuntimeError")
    expect(fault?.message).toContain("Fail to accumulate local gradient");
  if (kind !== undefined) expect(fault?.message).toContain("graph.multiref");
});

test.each`
  list                             | overlap  | kind
  ${["a:w split"]}                 | ${false} | ${"reducer"}
  ${["a:w split", "b:w split"]}    | ${false} | ${"reducer"}
  ${["a:w copied", "b:w copied"]}  | ${false} | ${"none"}
  ${["a:w split", "b:w copied"]}   | ${false} | ${"ALL replicated or ALL partitioned"}
  ${["a:w0 split", "b:w01 split"]} | ${true}  | ${"overlap in part"}
`("[§3] a weight with the readers $list: $kind", ({ list, overlap, kind }) => {
  const gradient = weightGradient("w", readers(...list), () => overlap);
  if (gradient.kind !== "refused") expect(gradient.kind).toBe(kind);
  else
    expect(gradient.fault).toMatchObject({
      kind: "RuntimeError",
      message: expect.stringContaining(kind),
    });
});
