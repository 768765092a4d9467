import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Diagnostic } from "#core/diagnostics";
import { library, type TensorId } from "#core/ir";
import { readDocument } from "#systems";

interface Answer {
  readonly refused?: true;
  readonly shape?: readonly number[];
  readonly parameters?: number;
  /** What of the result is the tensor: `[0]` of a tuple. */
  readonly part?: string;
}

/** A layer with what PyTorch 2.13 says of each of its settings, by `engines/record_layer_settings.py`. */
interface Row {
  readonly layer: string;
  readonly given: string;
  readonly inputs: string;
  readonly is: Answer;
  readonly settings: Readonly<Record<string, Answer>>;
  /** A call with `_`, and numbers in its place, with `!` behind those that are refused. */
  readonly numbers: readonly (readonly [form: string, words: string])[];
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/torch/library/layer-settings.json", "utf8"),
);

/** Settings that change nothing that is shown, with the reason. */
const idle: Readonly<Record<string, string>> = {
  batch_first: "said by the shapes where it changes them",
  device: "the mesh says where a tensor is",
  enable_nested_tensor: "chooses a kernel",
  eps: "an attribute of the operator, or of one without a body",
  init: "what a parameter begins with, which nothing here reads",
  inplace: "the result has the same elements",
  mask_check: "chooses a kernel",
  momentum: "of running statistics, which nothing here updates",
  norm_type: "says nothing without max_norm",
  padding_idx: "the row is read as any other; it only gets no gradient",
  recompute_scale_factor: "of a whole factor, by which sizes are multiples, there is nothing else",
  scale_grad_by_freq: "of gradients only, with the same shape",
  sparse: "of gradients only, with the same elements",
  track_running_stats: "read outside of training",
};

interface Case {
  readonly line: string;
  readonly setting: string;
  readonly answer: Answer;
}

function casesOf({ layer, given, is, settings }: Row): readonly Case[] {
  const line = (setting: string) =>
    `nn.${layer}(${[given, setting].filter((each) => each !== "").join(", ")})`;
  return [["", is] as const, ...Object.entries(settings)]
    .filter(([, answer]) => answer.refused !== true)
    .map(([setting, answer]) => ({ line: line(setting), setting, answer }));
}

/** What is wrong or silent of the settings of a layer. */
function faultsOf(row: Row): readonly string[] {
  const cases = casesOf(row);
  const lines = cases.flatMap(({ line, answer }, at) => [
    `m${at} = ${line}`,
    `y${at} = m${at}(${row.inputs})${answer.part ?? ""}`,
  ]);
  const text = ["import torch", "from torch import nn", ...lines, ""].join("\n");
  const { diagnostics, graph, modules } = readDocument(text);
  const lineOf = ({ span }: Diagnostic) => text.slice(0, span?.from).split("\n").length;
  const isSaid = (at: number) =>
    diagnostics.some(
      (each) =>
        !/^nnscaler\//.test(each.code) &&
        each.severity !== "info" &&
        Math.floor((lineOf(each) - 3) / 2) === at,
    );
  const ends = cases.map((_, at) => {
    const made = graph.tensors.find(({ name }) => name === `y${at}`);
    return graph.operators.findIndex(({ outputs }) =>
      outputs.some((each) => each.tensor === made?.id),
    );
  });
  const operatorsOf = (at: number) =>
    graph.operators.slice((ends[at - 1] ?? -1) + 1, (ends[at] ?? -1) + 1);
  const dtypeOf = ({ tensor }: { readonly tensor: TensorId }) =>
    graph.tensors.find(({ id }) => id === tensor)?.dtype;
  const drawn = (at: number) =>
    JSON.stringify(
      operatorsOf(at).map(({ op, attributes, inputs, outputs }) => [
        op,
        attributes,
        inputs.map(dtypeOf),
        outputs.map(dtypeOf),
      ]),
    );
  return cases.flatMap(({ line, setting, answer }, at) => {
    const tensor = graph.tensors.find(({ name }) => name === `y${at}`);
    const isUnknown = tensor === undefined || tensor.isUnknown === true;
    const count = modules.get(`m${at}`);
    const isRight =
      (isUnknown ? isSaid(at) || isSaid(0) : `${tensor.shape}` === `${answer.shape}`) &&
      (count === answer.parameters || (count === undefined && (isSaid(at) || isSaid(0))));
    if (!isRight)
      return [
        `${line}: ${tensor?.shape}, ${count} parameters; torch ${answer.shape}, ${answer.parameters}`,
      ];
    const isSame =
      `${answer.shape}, ${answer.parameters}` === `${row.is.shape}, ${row.is.parameters}`;
    const hasElements = operatorsOf(at).every(({ op }) => library.has(op));
    const [key = ""] = setting.split("=");
    const isSaidOnce = diagnostics.some(({ message }) =>
      message.startsWith(`"${key}" of ${row.layer} `),
    );
    const isSilent = isSame && hasElements && drawn(at) === drawn(0) && !isSaid(at) && !isSaidOnce;
    const isIdle = key in idle || (/^(dtype|bias)$/.test(key) && answer.parameters === 0);
    return setting !== "" && isSilent && !isIdle ? [`${line}: nothing is said`] : [];
  });
}

test.each(rows)("each setting of nn.$layer is read, changes nothing, or is said", (row) => {
  expect(faultsOf(row)).toEqual([]);
});

/** Whether a layer that is made and called once is refused. */
function isRefused(line: string, inputs: string): boolean {
  const text = `import torch\nfrom torch import nn\nlayer = ${line}\nmade = layer(${inputs})\n`;
  return readDocument(text).diagnostics.some(({ severity }) => severity === "error");
}

test.each(rows)("numbers for nn.$layer are refused as PyTorch refuses them", (row) => {
  const said = row.numbers.map(([form, words]) => {
    const numbers = words.split(" ").map((word) => word.replace("!", ""));
    const answers = numbers.map((number) =>
      isRefused(form.replace(/\b_\b/u, number), row.inputs) ? `${number}!` : number,
    );
    return [form, answers.join(" ")];
  });
  expect(said).toEqual(row.numbers);
});
