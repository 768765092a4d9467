import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

/**
 * Functions of MindSpore as its 2.10.0 compiles them (graph mode, Ascend, compiled only): the call,
 * its operators with their strategies, and the collectives of rank 0; or `refused`. Every operand
 * is produced by an operator with a strategy (`engines/record_mindspore_nets.py`).
 */
const lines = readFileSync("src/systems/mindspore/functions/compiled-functions.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "");

type Operand = readonly (number | string)[];

/** Shapes of operands by name, followed by the data type unless it is float32. */
const operands: Readonly<Record<string, Operand>> = {
  ...{ x: [16, 32], y: [16, 32], z: [16, 32], w: [32, 48], w2: [16, 48], tab: [64, 32] },
  ...{ a: [16, 8, 32], b: [16, 8, 32], c: [16, 32, 8], r: [16, 1, 32], cube: [8, 16, 16] },
  ...{ m: [16, 32, "bool_"], mm: [16, 32, "bool_"], i: [16, 32, "int32"], jj: [16, 32, "int32"] },
  ...{ ix: [16, 32, "int64"], j: [16, "int32"], jx: [8, "int32"], pair: [16, 2, "int32"] },
  ...{ v: [32], u: [32], t: [16], k8: [8], db: [48], dw: [48, 32], sub8: [8, 32], sc: [] },
  ...{ sq: [16, 16], half: [16, 32, "float16"], q: [16, 8, 8, 8], p: [16, 8, 8, 8] },
  ...{ on: [], off: [], odd: [12, 32] },
};

/** The operator that produces an operand; `undefined` for operands with too few dims. */
function inFront(name: string, operand: Operand): string | undefined {
  const shape = operand.filter((each) => typeof each === "number");
  const primitive = operand.includes("bool_") ? "LogicalNot" : "Neg";
  if (["k8", "on", "off", "sc"].includes(name)) return undefined;
  return `P.${primitive}().shard((${strategyOf(shape)},))`;
}

function strategyOf([first = 1, second = 1, ...others]: readonly number[]): string {
  if (others.length === 0 && second % 4 !== 0) return second === 1 ? "(8,)" : "(8, 1)";
  if (others.length === 1 && second % 4 !== 0) return "(2, 1, 1)";
  return `(${[first > 1 ? 2 : 1, 4, ...others.map(() => 1)].join(", ")})`;
}

function netOf(call: string): string {
  const text = call.replaceAll(/'[^']*'/gu, "");
  const found = text.matchAll(/(?<![\w.])([a-z]+\w*)(?!\w)(?!\s*=[^=])(?!\()/gu);
  const used = [...new Set([...found].map(([, name = ""]) => name))].filter((name) =>
    Object.hasOwn(operands, name),
  );
  const shaped = used.flatMap((name) => {
    const made = inFront(name, operands[name] ?? []);
    return made === undefined ? [] : [{ name, made }];
  });
  const given = used.map((name) => {
    const operand = operands[name] ?? [];
    const dtype = operand.find((each) => typeof each === "string") ?? "float32";
    const sizes = operand.filter((each) => typeof each === "number");
    return `Tensor(np.ones([${sizes.join(", ")}]), ms.${dtype})`;
  });
  return `import numpy as np
import mindspore as ms
import mindspore.numpy
from mindspore import Parameter, Tensor, context, mint, nn, ops
from mindspore.ops import operations as P
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${shaped.map(({ name, made }) => `        self.${name} = ${made}`).join("\n")}
    def construct(${["self", ...used].join(", ")}):
${shaped.map(({ name }) => `        ${name} = self.${name}(${name})`).join("\n")}
        return ${call}
net = Net()
net(${given.join(", ")})
`;
}

/**
 * Counts operators, without those that have no strategy in a compiled graph, and without numbers,
 * which have no dims.
 */
function counted(list: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of list) {
    const text = each.replaceAll(" ()", "").replace(/ (undefined)?$/, "");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function expectCompiled(line: string): void {
  const [call = "", operators = "", sent = ""] = line.split("\t");
  const text = netOf(call);
  const got = shortly(text);
  const kinds = got.errors.map(({ code }) => code);
  if (operators === "refused") {
    expect(kinds, text).not.toEqual([]);
    return;
  }
  expect(kinds, text).toEqual([]);
  const have = counted(got.operators);
  for (const [operator, count] of counted(operators.split("; ").filter((each) => each !== "")))
    expect(have.get(operator) ?? 0, `${text}\n${operator}`).toBeGreaterThanOrEqual(count);
  const collectives = got.collectives.map((each) => each.replace(/ \w+$/, ""));
  const wanted = sent.split("; ").filter((each) => each !== "");
  expect(collectives.toSorted(), text).toEqual(wanted.toSorted());
}

const groups = [...new Set(lines.map((line) => /^(?:\w+\.)*/.exec(line)?.[0] ?? ""))];

describe("functions become the primitives that MindSpore compiles them to", () => {
  test.each(groups)("%s", (group) => {
    const own = lines.filter((line) => (/^(?:\w+\.)*/.exec(line)?.[0] ?? "") === group);
    for (const line of own) expectCompiled(line);
  });
});

test("the table asks enough of every module", () => {
  expect(lines.length).toBeGreaterThan(1000);
  for (const owner of ["ops.", "mint.", "mint.nn.functional.", "x."])
    expect(groups).toContain(owner);
});
