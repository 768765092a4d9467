import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { isAbsent } from "../bindings/absent-names.ts";
import { inTraces } from "../bindings/aten-operators.ts";
import { torchLayerParameters } from "../bindings/layer-table.ts";
import { coreNames, functionalNames, moduleNames } from "./public-names.testing.ts";

const head = `import torch
from torch import nn
import torch.nn.functional as F
x = Tensor((2, 8, 4, 4))
`;

function read(line: string) {
  const { diagnostics, graph } = readDocument(`${head}${line}\n`);
  return { diagnostics, y: graph.tensors.find(({ name }) => name === "y") };
}

/** What would say that PyTorch does not have a name that it has. */
const denials = /misspelt|undefined-name|attribute-error|name-error|import-error|missing-import/;

/** What names a cause for a result without a shape, or an error about what is passed. */
const causes = /unknown-result|unknown-value|python\/|dimops\//;

test.each(moduleNames)("nn.%s is known by name", (name) => {
  const imported = read(`from torch.nn import ${name}\nf = nn.${name}`).diagnostics;
  expect(imported.filter(({ code }) => code !== "document/nothing-runs")).toEqual([]);
});

const functions = [
  ...functionalNames.map((name) => `F.${name}`),
  ...coreNames
    .filter((name) => !inTraces.has(name) && !isAbsent("torch", name))
    .map((name) => `torch.${name}`),
  ...coreNames.map((name) => `torch.ops.aten.${name}`),
];

test.each(functions)("%s is read, or known by name and its result said to be unknown", (name) => {
  const { diagnostics, y } = read(`y = ${name}(x)`);
  const codes = diagnostics.map(({ code }) => code);
  expect(codes.filter((code) => denials.test(code))).toEqual([]);
  const isRead = y !== undefined && y.isUnknown !== true;
  expect(isRead || codes.some((code) => causes.test(code)) || isNoTensor(name)).toBe(true);
});

test.each(["torch.gelu(x)", "F.swish(x)", "x.softplus()"])("PyTorch has no %s", (call) => {
  const { diagnostics } = read(`y = ${call}`);
  expect(diagnostics.map(({ code }) => code)).toContain("python/attribute-error");
});

/** Functions that give several tensors, their own operand or a number, so that none is called `y`. */
function isNoTensor(name: string): boolean {
  return /\.(sort|topk|alias|_to_copy|sym_numel)$/.test(name);
}

test.each`
  name           | parameters
  ${"MaxPool2d"} | ${["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]}
  ${"AvgPool2d"} | ${["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]}
  ${"Linear"}    | ${["in_features", "out_features", "bias"]}
  ${"Unflatten"} | ${["dim", "unflattened_size"]}
  ${"ZeroPad2d"} | ${[]}
`("$name is completed with the parameters $parameters", ({ name, parameters }) => {
  expect(torchLayerParameters.get(name)).toEqual(parameters);
});

test("nothing is completed that torch.nn does not have", () => {
  const names = new Set([...moduleNames, "NonDynamicallyQuantizableLinear"]); // of torch.nn.modules
  expect([...torchLayerParameters.keys()].filter((name) => !names.has(name))).toEqual([]);
});

test("the lists are as long as PyTorch's", () => {
  expect([moduleNames.length, functionalNames.length, coreNames.length]).toEqual([163, 132, 164]);
});
