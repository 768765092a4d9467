import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

/**
 * Layers of `nn` and `mint.nn` as MindSpore 2.10.0 compiles them (graph mode, Ascend, compiled
 * only). Columns: the layer; its inputs; the strategy of the operator before it; `said` if they are
 * emitted differently with a warning; their operators with strategies, or `refused`; the
 * collectives of rank 0 (`engines/record_mindspore_nets.py`).
 */
const rows = readFileSync("src/systems/mindspore/library/compiled-layers.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [layer = "", inputs = "", cut = "", said = "", operators = "", sent = ""] =
      line.split("\t");
    return { layer, inputs: inputs.split("; "), cut, said, operators, sent };
  });

type Row = (typeof rows)[number];

function tensor(written: string): string {
  const [sizes = "", dtype = "float32"] = written.split(" ");
  return `Tensor(np.ones([${sizes}]), ms.${dtype})`;
}

function netOf({ layer, inputs, cut }: Row): string {
  const others = inputs.slice(1).map((_, at) => `, y${at}`);
  return `import numpy as np
import mindspore as ms
from mindspore import Tensor, context, mint, nn, ops
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.front = ops.Neg().shard(((${cut},),))
        self.layer = ${layer}
    def construct(self, x${others.join("")}):
        return self.layer(self.front(x)${others.join("")})
net = Net()
net(${inputs.map(tensor).join(", ")})
`;
}

/**
 * Operators without numbers, which have no dims, and without those that have no strategy in a
 * compiled graph.
 */
function plain(operators: readonly string[]): readonly string[] {
  return operators
    .filter((each) => !/^(Reshape|Cast|MakeTuple|Squeeze)\b/.test(each))
    .map((each) => each.replaceAll(" ()", "").replace(/ (undefined)?$/, ""))
    .toSorted();
}

/** The operators of one list that another lacks, counting repetitions. */
function lacking(wanted: readonly string[], given: readonly string[]): readonly string[] {
  const left = [...given];
  return wanted.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function expectAsCompiled(row: Row): void {
  const text = netOf(row);
  const { operators, collectives, errors, warnings } = shortly(text);
  if (row.said === "said") {
    // Every difference must have a diagnostic.
    expect([...errors, ...warnings], text).not.toEqual([]);
    return;
  }
  if (row.operators === "refused") {
    expect(errors, text).not.toEqual([]);
    return;
  }
  expect(errors, text).toEqual([]);
  const compiled = plain(row.operators.split("; "));
  // With "beside", extra operators are emitted that count the rows which are not ignored.
  const isBeside = row.said === "beside";
  expect(isBeside ? lacking(compiled, plain(operators)) : plain(operators), text).toEqual(
    isBeside ? [] : compiled,
  );
  const sent = collectives.map((each) => each.replace(/ \w+$/, ""));
  const wanted = row.sent.split("; ").filter((each) => each !== "");
  expect(sent.toSorted(), text).toEqual(wanted.toSorted());
}

test.each([
  ["nn", rows.filter(({ layer }) => layer.startsWith("nn."))],
  ["mint.nn", rows.filter(({ layer }) => layer.startsWith("mint."))],
])(
  "layers of %s are emitted as MindSpore compiles them, or it is said that they are not",
  (_, own) => {
    expect(own.length).toBeGreaterThan(60);
    for (const row of own) expectAsCompiled(row);
  },
);
