import { expect, test } from "vitest";
import { readDocument } from "#systems";

const head = `import torch
import torch.nn as nn
import torch.nn.functional as F
x, y, w = Tensor((8, 6)), Tensor((8, 6)), Tensor((6,))
t, s = Tensor((8,), "int64"), Tensor((8,))
`;

/** The operator of a loss: its operands by position, its settings, and the shape of its result. */
function readingOf(call: string) {
  const { graph, diagnostics } = readDocument(`${head}z = ${call}\n`);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  const operator = graph.operators.at(-1);
  const given = operator?.inputs.map(({ tensor }) => tensor) ?? [];
  const positions = operator?.annotation.inputs.map(({ ignored }) => {
    return ignored ? "_" : given.shift();
  });
  const result = graph.tensors.find(({ name }) => name === "z");
  return [operator?.entry, positions?.join(" "), operator?.attributes, result?.shape];
}

// Source of each order: PyTorch 2.13.
test.each`
  call                                                            | entry                                 | operands               | settings                                                        | shape
  ${"F.cross_entropy(x, t, w, None, 3, None, 'sum', 0.1)"}        | ${"cross_entropy"}                    | ${"x t w"}             | ${{ ignore_index: 3, reduction: "sum", label_smoothing: 0.1 }}  | ${[]}
  ${"F.cross_entropy(x, t, size_average=False)"}                  | ${"cross_entropy"}                    | ${"x t"}               | ${{ reduction: "sum" }}                                         | ${[]}
  ${"F.cross_entropy(x, t, reduce=False)"}                        | ${"cross_entropy"}                    | ${"x t"}               | ${{ reduction: "none" }}                                        | ${[8]}
  ${"F.cross_entropy(x, y, reduction='none')"}                    | ${"cross_entropy"}                    | ${"x y"}               | ${{ reduction: "none" }}                                        | ${[8]}
  ${"F.cross_entropy(x[0], t[0])"}                                | ${"cross_entropy"}                    | ${"select_1 select_2"} | ${{}}                                                           | ${[]}
  ${"nn.CrossEntropyLoss(w, None, 3, None, 'mean', 0.1)(x, t)"}   | ${"cross_entropy"}                    | ${"x t w"}             | ${{ ignore_index: 3, label_smoothing: 0.1, reduction: "mean" }} | ${[]}
  ${"nn.CrossEntropyLoss()(x, t)"}                                | ${"cross_entropy"}                    | ${"x t"}               | ${{}}                                                           | ${[]}
  ${"nn.NLLLoss(weight=w, ignore_index=2)(x, t)"}                 | ${"nll_loss"}                         | ${"x t w"}             | ${{ ignore_index: 2 }}                                          | ${[]}
  ${"F.mse_loss(x, y, weight=y)"}                                 | ${"mse_loss"}                         | ${"x y y"}             | ${{}}                                                           | ${[]}
  ${"F.l1_loss(x, y, False, True)"}                               | ${"l1_loss"}                          | ${"x y"}               | ${{ reduction: "sum" }}                                         | ${[]}
  ${"F.smooth_l1_loss(x, y, None, None, 'none', 0.5)"}            | ${"smooth_l1_loss"}                   | ${"x y"}               | ${{ reduction: "none", beta: 0.5 }}                             | ${[8, 6]}
  ${"nn.SmoothL1Loss(beta=0.5)(x, y)"}                            | ${"smooth_l1_loss"}                   | ${"x y"}               | ${{ beta: 0.5 }}                                                | ${[]}
  ${"F.huber_loss(x, y, 'sum', 0.3, y)"}                          | ${"huber_loss"}                       | ${"x y y"}             | ${{ reduction: "sum", delta: 0.3 }}                             | ${[]}
  ${"nn.HuberLoss('none', 0.3)(x, y)"}                            | ${"huber_loss"}                       | ${"x y"}               | ${{ reduction: "none", delta: 0.3 }}                            | ${[8, 6]}
  ${"F.binary_cross_entropy(torch.sigmoid(x), y, w)"}             | ${"binary_cross_entropy"}             | ${"sigmoid_1 y w"}     | ${{}}                                                           | ${[]}
  ${"nn.BCELoss(w)(torch.sigmoid(x), y)"}                         | ${"binary_cross_entropy"}             | ${"sigmoid_1 y w"}     | ${{}}                                                           | ${[]}
  ${"F.binary_cross_entropy_with_logits(x, y, pos_weight=w)"}     | ${"binary_cross_entropy_with_logits"} | ${"x y _ w"}           | ${{}}                                                           | ${[]}
  ${"nn.BCEWithLogitsLoss(w, None, None, 'sum', w)(x, y)"}        | ${"binary_cross_entropy_with_logits"} | ${"x y w w"}           | ${{ reduction: "sum" }}                                         | ${[]}
  ${"F.kl_div(x, y, None, None, 'batchmean', True)"}              | ${"kl_div"}                           | ${"x y"}               | ${{ reduction: "batchmean", log_target: true }}                 | ${[]}
  ${"nn.KLDivLoss(reduction='batchmean', log_target=True)(x, y)"} | ${"kl_div"}                           | ${"x y"}               | ${{ reduction: "batchmean", log_target: true }}                 | ${[]}
  ${"F.poisson_nll_loss(x, y, False, True, None, 0.1)"}           | ${"poisson_nll_loss"}                 | ${"x y"}               | ${{ log_input: false, full: true, eps: 0.1 }}                   | ${[]}
  ${"nn.PoissonNLLLoss(False)(x, y)"}                             | ${"poisson_nll_loss"}                 | ${"x y"}               | ${{ log_input: false }}                                         | ${[]}
  ${"F.gaussian_nll_loss(x, y, s, True, 0.1, 'none')"}            | ${"gaussian_nll_loss"}                | ${"x y s"}             | ${{ full: true, eps: 0.1, reduction: "none" }}                  | ${[8, 6]}
  ${"F.gaussian_nll_loss(x, y, 0.5)"}                             | ${"gaussian_nll_loss"}                | ${"x y _"}             | ${{ var: 0.5 }}                                                 | ${[]}
  ${"nn.GaussianNLLLoss(full=True)(x, y, y)"}                     | ${"gaussian_nll_loss"}                | ${"x y y"}             | ${{ full: true }}                                               | ${[]}
  ${"F.soft_margin_loss(x, y, reduction='sum')"}                  | ${"soft_margin_loss"}                 | ${"x y"}               | ${{ reduction: "sum" }}                                         | ${[]}
  ${"nn.HingeEmbeddingLoss(0.4, False)(x, y)"}                    | ${"hinge_embedding_loss"}             | ${"x y"}               | ${{ margin: 0.4, reduction: "sum" }}                            | ${[]}
  ${"F.margin_ranking_loss(s, s, s, 0.2, reduction='none')"}      | ${"margin_ranking_loss"}              | ${"s s s"}             | ${{ margin: 0.2, reduction: "none" }}                           | ${[8]}
  ${"nn.CosineEmbeddingLoss(margin=0.5)(x, y, s)"}                | ${"cosine_embedding_loss"}            | ${"x y s"}             | ${{ margin: 0.5 }}                                              | ${[]}
  ${"F.triplet_margin_loss(x, y, x, 0.5, 1, 1e-3, True)"}         | ${"triplet_margin_loss"}              | ${"x y x"}             | ${{ margin: 0.5, p: 1, eps: 0.001, swap: true }}                | ${[]}
  ${"nn.TripletMarginLoss(p=1)(x, y, x)"}                         | ${"triplet_margin_loss"}              | ${"x y x"}             | ${{ p: 1 }}                                                     | ${[]}
  ${"nn.MultiLabelSoftMarginLoss(w, reduction='none')(x, y)"}     | ${"multilabel_soft_margin_loss"}      | ${"x y w"}             | ${{ reduction: "none" }}                                        | ${[8]}
`("$call is $entry", ({ call, entry, operands, settings, shape }) => {
  expect(readingOf(call)).toEqual([entry, operands, settings, shape]);
});

test.each`
  read                                       | value
  ${"nn.SmoothL1Loss().reduction"}           | ${"mean"}
  ${"nn.TripletMarginLoss().p"}              | ${"2"}
  ${"nn.MSELoss(reduction='sum').reduction"} | ${"sum"}
`("$read is $value", ({ read, value }) => {
  const { diagnostics } = readDocument(`${head}assert str(${read}).startswith("${value}")\n`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

// What is known by its shapes only is cut along its samples.
test.each`
  call                                                 | annotation
  ${"F.multi_margin_loss(x, t)"}                       | ${"n+ c^, n+ -> 1"}
  ${"F.multi_margin_loss(x, t, weight=w)"}             | ${"n+ c^, n+, c^ -> 1"}
  ${"nn.MultiLabelMarginLoss(reduction='none')(x, x)"} | ${"n c^, n c^ -> n"}
`("$call is cut as $annotation", ({ call, annotation }) => {
  const { graph } = readDocument(`${head}z = ${call}\n`);
  const words = graph.operators
    .at(-1)
    ?.annotation.inputs.map(({ dims }) =>
      dims
        .map(({ identifiers }) => identifiers.map((each) => each.name + each.reduction))
        .join(" "),
    );
  expect(words?.join(", ")).toBe(annotation.split(" ->")[0]);
});
