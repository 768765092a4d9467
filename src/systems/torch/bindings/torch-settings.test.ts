import { expect, test } from "vitest";
import { library } from "#core/ir";
import { integer } from "#language/document/bindings/values";
import { readDocument } from "#systems";
import { keywordsOf } from "./accepted-keywords.ts";
import { asEntryTakesThem } from "./entry-arguments.ts";
import { isUncomputed } from "./torch-settings.ts";

/** What changes no element that is read here, with the reason. */
const idleSettings: Readonly<Record<string, string>> = {
  axis: "NumPy's name of dim, which is read",
  copy: "a copy has the same elements",
  cudnn_enabled: "chooses a kernel",
  device: "the mesh says where a tensor is",
  enable_gqa: "the numbers of heads say it",
  generator: "elements that are drawn are not known",
  implicit: "of symbolic shapes only",
  inplace: "the result has the same elements",
  layout: "strided is the only one",
  memory_format: "orders bytes, not elements",
  momentum: "of running statistics, which nothing here updates",
  names: "dims have other names here",
  non_blocking: "a matter of time only",
  norm_type: "says nothing without max_norm",
  normalized_shape: "the weight has it",
  padding_idx: "the row is read as any other; it only gets no gradient",
  pin_memory: "a matter of the host's memory",
  requires_grad: "said where parameters are made",
  running_mean: "read outside of training",
  running_var: "read outside of training",
  scale_grad_by_freq: "of gradients only, with the same shape",
  sorted: "the result has the same shape, and its elements are sorted",
  sparse_grad: "of gradients only",
  stable: "orders equal elements only",
  track_running_stats: "read outside of training",
  train: "as training",
  training: "read with the mode of the module",
};

/** Read before the operator is called: data types, and the shapes of what takes them elsewhere. */
const readElsewhere = new Set([
  "dtype",
  "ceil_mode",
  "dilation",
  "groups",
  "output_padding",
  "mode",
  "reduce",
]);

/** Of overloads for Python numbers and lists, and of results: no setting of a call on tensors. */
const ofOthers = new Set([
  ...["a", "b", "l", "n", "value", "args", "size", "other", "idx", "list", "end", "indices"],
  ...["values", "reverse", "weight"],
]);

const span = { from: 0, to: 0 };

test("each keyword of a function is read, changes nothing, or is said", () => {
  const silent = [...library].flatMap(([name, entry]) => {
    const keywords = (keywordsOf(name) ?? []).filter((each) => each !== "");
    const args = keywords.map((keyword) => ({ name: keyword, value: integer(7), span }));
    return asEntryTakesThem(name, entry, args).flatMap((given) => {
      if (!given.name?.startsWith("_")) return [];
      const keyword = given.name.slice(1);
      const isFine =
        keyword in idleSettings ||
        isUncomputed(name, keyword) ||
        readElsewhere.has(keyword) ||
        ofOthers.has(keyword);
      return isFine ? [] : [`${name}: ${keyword}`];
    });
  });
  expect(silent).toEqual([]);
});

const lead = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

function saidOf(line: string): readonly string[] {
  const text = lead + line;
  return readDocument(text).diagnostics.flatMap(({ code, span: at }) =>
    code === "document/setting-not-computed" || code === "document/complex-type"
      ? [text.slice(at?.from, at?.to)]
      : [],
  );
}

const x = "torch.zeros(2, 3)";

test.each`
  line                                                                               | said
  ${'c = nn.Conv2d(3, 4, 3, padding_mode="reflect")'}                                | ${['padding_mode="reflect"']}
  ${'c = nn.Conv2d(3, 4, 3, 1, 0, 1, 1, True, "zeros")'}                             | ${[]}
  ${"c = nn.CrossEntropyLoss(label_smoothing=0.1)"}                                  | ${[]}
  ${"c = nn.CrossEntropyLoss(ignore_index=-100)"}                                    | ${[]}
  ${"c = nn.Embedding(5, 3, padding_idx=0, max_norm=1.0)"}                           | ${["max_norm=1.0"]}
  ${"c = nn.SmoothL1Loss(beta=2.0)"}                                                 | ${[]}
  ${`y = F.cross_entropy(${x}, torch.zeros(2, dtype=torch.int64), ignore_index=-1)`} | ${[]}
  ${`y = F.smooth_l1_loss(${x}, ${x}, beta=2.0)`}                                    | ${[]}
  ${`y = F.huber_loss(${x}, ${x}, delta=given)`}                                     | ${["delta=given"]}
  ${`y = torch.polar(${x}, ${x})`}                                                   | ${["torch.polar"]}
  ${`y = torch.view_as_complex(torch.zeros(2, 3, 2))`}                               | ${["torch.view_as_complex"]}
`("what is not computed with is said: $line", ({ line, said }) => {
  const trimmed = saidOf(line).map((each) => each.trim());
  expect(trimmed.length).toBe(said.length);
  for (const [at, each] of trimmed.entries()) expect(said[at]).toContain(each);
});

test.each`
  line                                                       | dtype
  ${"y = torch.complex(d, d)"}                               | ${"f64"}
  ${"y = d * 2j"}                                            | ${"f64"}
  ${"y = torch.polar(torch.zeros(2, 3), torch.zeros(2, 3))"} | ${"f32"}
`("a complex result counts as real numbers of the type of its parts: $line", ({ line, dtype }) => {
  const text = `${lead}d = torch.zeros(2, 3, dtype=torch.float64)\n${line}`;
  const { graph, diagnostics } = readDocument(text);
  expect(graph.tensors.find(({ name }) => name === "y")?.dtype).toBe(dtype);
  const said = diagnostics.find(({ code }) => code === "document/complex-type")?.message;
  expect(said).toMatch(/counts as real numbers, and so do its bytes$/);
});

test("functions take their operands by PyTorch's own names", () => {
  const { graph, diagnostics } = readDocument(
    `${lead}y = torch.addmm(torch.zeros(4, 5), mat1=torch.zeros(4, 3), mat2=torch.zeros(3, 5))\nz = F.embedding(input=torch.zeros(2, dtype=torch.int64), weight=torch.zeros(9, 4))`,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const shapeOf = (name: string) => graph.tensors.find((each) => each.name === name)?.shape;
  expect(shapeOf("y")).toEqual([4, 5]);
  expect(shapeOf("z")).toEqual([2, 4]);
});
