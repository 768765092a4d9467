import { expect, test } from "vitest";
import { readDocument } from "#systems";

const head = `import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(2, 4, 3, 3)
bn = nn.BatchNorm2d(4)
`;

/** The entry that the last operator of a text runs by, and what it reads. */
function read(lines: string) {
  const { graph, diagnostics } = readDocument(`${head}${lines}\n`);
  const last = graph.operators.at(-1);
  const names = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const reads = last?.inputs.map(({ tensor }) => names.get(tensor)?.replace(/.*\./, ""));
  return { last: last?.entry, reads, said: diagnostics.map(({ message }) => message) };
}

const running = ["running_mean", "running_var"];
const trained = { last: "batch_norm", reads: ["x", "weight", "bias"] };
const learnt = { last: "batch_norm_with_statistics", reads: ["x", ...running, "weight", "bias"] };
const bare = { ...learnt, reads: ["x", ...running] };

test.each([
  ["y = bn(x)", trained],
  ["bn.eval()\ny = bn(x)", learnt],
  ["y = nn.Sequential(bn).train(False)(x)", learnt],
  ["bn.eval()\nbn.train()\ny = bn(x)", trained],
  // Without statistics of former inputs, those of the input are taken.
  ["bn = nn.BatchNorm2d(4, track_running_stats=False).eval()\ny = bn(x)", trained],
  ["bn = nn.BatchNorm2d(4, affine=False).eval()\ny = bn(x)", bare],
  // As a function, it is outside of training unless it says so.
  ["y = F.batch_norm(x, bn.running_mean, bn.running_var)", bare],
  ["y = F.batch_norm(x, bn.running_mean, bn.running_var, bn.weight, bn.bias, True)", trained],
  ["y = F.batch_norm(x, None, None, bn.weight, bn.bias, True)", trained],
])("%s reads what PyTorch does", (lines, expected) => {
  expect(read(lines)).toEqual({ ...expected, said: [] });
});

test("a layer of another kind of norm that takes statistics is said to be read without them", () => {
  const [said] = read("y = nn.InstanceNorm2d(4, track_running_stats=True).eval()(x)").said;
  expect(said).toContain('"use_input_stats" of instance_norm is not computed with');
});
