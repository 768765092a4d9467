import { expect } from "vitest";
import { readDocument } from "#systems";
import { emittedProgram } from "./emitted.ts";

/** A net with primitives `self.p0 …` that is called once, in the style of MindSpore's own tests. */
export interface Net {
  readonly primitives: readonly string[];
  readonly construct: string;
  /**
   * Values of `x`, `y`, `z` …: a shape, followed by its data type unless it is float32; or any
   * text.
   */
  readonly inputs: readonly Written[];
  /** Parameters of the cell: `self.w` etc. */
  readonly parameters?: Readonly<Record<string, Written>>;
  /** Tensors of the cell that are no parameters. */
  readonly constants?: Readonly<Record<string, Written>>;
  readonly devices?: number;
  /** Further arguments of `set_auto_parallel_context`. */
  readonly context?: string;
  /** Lines before the class. */
  readonly before?: string;
}

type Written = string | readonly (number | string)[];

/** The text of a net. */
export function netText(net: Net): string {
  const { primitives, construct, inputs, parameters = {}, constants = {} } = net;
  const { devices = 8, context = ', dataset_strategy="full_batch"', before = "" } = net;
  const indented = (lines: readonly string[]) => lines.map((line) => `        ${line}`).join("\n");
  const attributes = [
    ...primitives.map((primitive, index) => `self.p${index} = ${primitive}`),
    ...Object.entries(parameters).map(
      ([name, value]) => `self.${name} = Parameter(${tensor(value)}, name="${name}")`,
    ),
    ...Object.entries(constants).map(([name, value]) => `self.${name} = ${tensor(value)}`),
  ];
  const names = ["x", "y", "z", "u", "v"].slice(0, inputs.length).map((name) => `, ${name}`);
  return `import numpy as np
import mindspore as ms
from mindspore import Layout, Parameter, Tensor, context, nn, ops
from mindspore.common.initializer import initializer
from mindspore.ops import operations as P
from mindspore.ops.auto_generate import *
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=${devices}${context})
${before}
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${indented(attributes)}
    def construct(self${names.join("")}):
${indented(construct.split("\n"))}
net = Net()
net(${inputs.map(tensor).join(", ")})
`;
}

function tensor(written: Written): string {
  if (typeof written === "string") return written;
  const sizes = written.filter((each) => typeof each === "number");
  const dtype = written.find((each) => typeof each === "string") ?? "float32";
  return `Tensor(np.ones([${sizes.join(", ")}]), ms.${dtype})`;
}

/** The emitted program of a text in short form: `MatMul (8,1) (1,1)`, `AllReduce 0,4 forward`. */
export function shortly(source: string, rank = 0) {
  const document = readDocument(source);
  const { operators, collectives } = emittedProgram(document, document.mesh.mesh, rank);
  const tuple = (items: readonly unknown[]) => `(${items.join(",")})`;
  return {
    operators: operators.map(({ op, in_strategy: cut }) => `${op} ${cut?.map(tuple).join(" ")}`),
    collectives: collectives.map(({ op, ranks, why }) => `${op} ${ranks.join()} ${why}`),
    diagnostics: document.diagnostics,
    errors: document.diagnostics.filter(({ severity }) => severity === "error"),
    warnings: document.diagnostics.filter(({ severity }) => severity === "warning"),
  };
}

/** A net with its compilation by MindSpore 2.10.0 on rank 0 (graph mode, Ascend, compiled only). */
export interface CompiledNet extends Net {
  /** The operators with their strategies. */
  readonly operators?: readonly string[];
  /** Collectives of the forward pass and of redistributions. */
  readonly collectives?: readonly string[];
  /** MindSpore's message if it refuses the net. */
  readonly refused?: string;
  /** Code of the warning for a net that is emitted differently from MindSpore's compilation. */
  readonly warned?: string;
}

/**
 * Expects that a net is emitted as MindSpore compiles it, is refused, or has the warning that it
 * differs.
 */
export function expectAsCompiled(row: CompiledNet): void {
  const text = netText(row);
  const { operators, collectives, errors, warnings } = shortly(text);
  if (row.refused !== undefined) {
    expect(errors, `${text}\nMindSpore refuses: ${row.refused}`).not.toEqual([]);
    return;
  }
  expect(errors, text).toEqual([]);
  if (row.warned !== undefined) {
    // Every difference must have a warning.
    expect(
      warnings.map(({ code }) => code),
      text,
    ).toContain(row.warned);
    return;
  }
  // Operators that MindSpore folds into constants have no strategy there, but are emitted here.
  for (const operator of row.operators ?? []) {
    const count = (list: readonly string[]) => list.filter((each) => each === operator).length;
    expect(count(operators), `${text}\n${operator}`).toBeGreaterThanOrEqual(
      count(row.operators ?? []),
    );
  }
  const sent = collectives.map((each) => each.replace(/ \w+$/, ""));
  expect(sent.toSorted(), text).toEqual((row.collectives ?? []).toSorted());
}
