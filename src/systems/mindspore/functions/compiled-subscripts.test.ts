import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

/**
 * A net that reads, sets or writes a part of a tensor, with its compilation by MindSpore 2.10.0
 * (graph mode, Ascend, 8 devices, rank 0, compiled only): every operator with a strategy, and the
 * collectives; or why it is refused.
 */
interface Row {
  readonly x: readonly number[];
  /** The strategy of the operator that produces x; null without one. */
  readonly strat: string | null;
  readonly init: readonly string[];
  /** Further inputs: a name, a shape and a type. */
  readonly inputs: readonly (readonly (string | number)[])[];
  readonly body: readonly string[];
  readonly ret: string;
  readonly operators?: readonly string[];
  readonly collectives?: readonly string[];
  readonly refused?: string;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/mindspore/functions/compiled-subscripts.json", "utf8"),
);

function textOf({ x, strat, init, inputs, body, ret }: Row): string {
  const shape = x.join(", ");
  const front = strat === null ? [] : [`self.p0 = P.Neg().shard(${strat})`];
  const made = [...front, `self.w = Parameter(Tensor(np.ones([${shape}]), ms.float32), name="w")`];
  const given = inputs.map((each) => {
    const sizes = each.filter((size) => typeof size === "number");
    return `Tensor(np.ones([${sizes.join(", ")}]), ms.${each.at(-1)})`;
  });
  const lines = (list: readonly string[]) => list.map((line) => `        ${line}\n`).join("");
  return `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, context, mint, nn, ops
from mindspore.ops import operations as P
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${lines([...made, ...init])}
    def construct(${["self", "x", ...inputs.map(([name]) => name)].join(", ")}):
${lines([...(strat === null ? [] : ["x = self.p0(x)"]), ...body])}
        return ${ret}
net = Net()
net(${[`Tensor(np.ones([${shape}]), ms.float32)`, ...given].join(", ")})
`;
}

/** Matches operators that have no strategy in a graph, or are part of a redistribution. */
const unlisted = /^(Reshape|Load|Cast|Squeeze) /u;

/** Sorted operators, without those above and without numbers, which have no dims. */
function listed(operators: readonly string[]): readonly string[] {
  const plain = operators.filter((each) => !unlisted.test(`${each} `));
  return plain.map((each) => each.replaceAll(/ (\(\)|undefined)/gu, "").trim()).toSorted();
}

test.each(rows.map((row) => [[...row.body, row.ret].join("; "), row] as const))("%s", (_, row) => {
  const text = textOf(row);
  const { operators, collectives, errors, warnings } = shortly(text);
  if (row.refused !== undefined) {
    expect(errors, `${text}\nMindSpore refuses: ${row.refused}`).not.toEqual([]);
    return;
  }
  expect([...errors, ...warnings], text).toEqual([]);
  expect(listed(operators), text).toEqual(listed(row.operators ?? []));
  const sent = collectives.map((each) => each.replace(/ \w+$/u, ""));
  expect(sent.toSorted(), text).toEqual((row.collectives ?? []).toSorted());
});
