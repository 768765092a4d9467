import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { groupedBy } from "#core/records";
import { readDocument } from "#systems";
import { emittedProgram } from "../emitted.ts";
import { asked } from "./asked-operators.ts";

type Shape = readonly number[];

/**
 * A net with primitives `self.p0 …` that is trained for one step, with the backward collectives of
 * rank 0.
 */
interface Row {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, Shape>>;
  readonly primitives?: readonly string[];
  readonly construct?: string;
  /**
   * Shapes of the input and of the loss's label; without `loss` the net computes the loss itself.
   */
  readonly x?: Shape;
  readonly y?: Shape;
  readonly xType?: string;
  readonly yType?: string;
  readonly loss?: string;
  readonly optimizer?: string;
  readonly devices?: number;
  /** Further arguments of the context. */
  readonly context?: string;
  /** Lines before the class. */
  readonly before?: string;
  /** The whole text, which replaces all other fields. */
  readonly program?: string;
  /**
   * Primitives, ranks and received bytes; for the sum of a parameter's gradient also the parameter.
   */
  readonly backward?: readonly string[];
  /** Why the backward collectives are not known here. */
  readonly unknown?: string;
}

/** Compilations by MindSpore 2.10.0 (graph mode, Ascend, compiled only). */
const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/mindspore/emitted/backward/compiled-steps.json", "utf8"),
);

function textOf(row: Row): string {
  if (row.program !== undefined) return row.program;
  const { parameters = {}, primitives = [], construct = "", x, y } = row;
  const { devices = 8, context = "", before = "", loss = "nn.MSELoss()" } = row;
  const { optimizer = "nn.Momentum(net.trainable_params(), 0.1, 0.9)" } = row;
  const tensor = (shape: Shape | undefined, type = "float32") =>
    `Tensor(np.ones([${shape?.join(", ")}]), ms.${type})`;
  const attributes = [
    ...Object.entries(parameters).map(
      ([name, shape]) => `self.${name} = Parameter(${tensor(shape)}, name="${name}")`,
    ),
    ...primitives.map((primitive, at) => `self.p${at} = ${primitive}`),
  ];
  const indented = (lines: readonly string[]) => lines.map((line) => `        ${line}`).join("\n");
  const fed = [tensor(x, row.xType), ...(y === undefined ? [] : [tensor(y, row.yType)])];
  return `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import operations as P
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=${devices}, dataset_strategy="full_batch"${context})
${before}class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${indented(attributes)}
    def construct(self, x):
${indented(construct.split("\n"))}
net = Net()
one = ${y === undefined ? "net" : `nn.WithLossCell(net, ${loss})`}
nn.TrainOneStepCell(one, ${optimizer})(${fed.join(", ")})
`;
}

/**
 * The backward collectives of a text in short form: `ReduceScatter 0,1 1024`, `AllReduce 0,4 512
 * w`.
 */
function shortly(text: string) {
  const document = readDocument(text);
  const { backward, backwardUnknown, operators } = emittedProgram(document, document.mesh.mesh, 0);
  const sent = backward?.map(({ op, ranks, why, tensor, bytes }) => {
    const of = why === "gradient" ? ` ${tensor.split(".").at(-1)}` : "";
    return `${op} ${ranks.join()} ${bytes}${of}`;
  });
  return {
    ...{ sent: sent?.toSorted(), unknown: backwardUnknown },
    ...{ operators: operators.map(({ op }) => op), diagnostics: document.diagnostics },
  };
}

const families = groupedBy(rows, ({ name }) => name.split(" ")[0] ?? "");

test.each([...families.keys()])("%s: steps send backward what MindSpore compiles", (family) => {
  for (const row of families.get(family) ?? []) {
    const text = textOf(row);
    const { sent, unknown, diagnostics } = shortly(text);
    const said = diagnostics.filter(({ message }) => message.includes("sends backward, where"));
    expect(unknown, `${row.name}\n${text}`).toBe(row.unknown);
    expect(said.length, row.name).toBe(row.unknown === undefined ? 0 : 1);
    expect(sent, `${row.name}\n${text}`).toEqual(row.backward);
  }
});

test("every operator through which gradients are followed stands in a step that was compiled", () => {
  const seen = new Set(rows.flatMap((row) => shortly(textOf(row)).operators));
  expect([...asked].filter((op) => !seen.has(op))).toEqual([]);
});

test("what is sent backward is counted once, beside the gradients as they are drawn", () => {
  const [row] = rows.filter(({ name }) => name === "two (8, 1, 1) (2, 1, 4)");
  const { diagnostics } = shortly(row === undefined ? "" : textOf(row));
  const found = diagnostics.filter(({ code }) => code === "mindspore/sends-backward");
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^MindSpore itself sends ReduceScatter ×2, and AllReduce ×2 for the gradients of parameters in its backward pass, 18432 bytes to a rank;/u,
    ),
  ]);
});
