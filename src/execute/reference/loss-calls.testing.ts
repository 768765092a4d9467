import type { CallShapes } from "#core/ir";

type Call = readonly [string, CallShapes["inputs"], CallShapes["attributes"]];

const cells = [4, 6];
const pair = [cells, cells];
const triple = [...pair, cells];
const classes = [cells, [4]];
const images = [
  [2, 4, 6],
  [2, 6],
];

/** Calls of losses with their options, on sizes that can be cut. */
export const lossCalls: readonly Call[] = [
  ["cross_entropy", classes, { ignore_index: 1 }],
  ["cross_entropy", [...classes, [6]], {}],
  ["cross_entropy", [...classes, [6]], { ignore_index: 2, label_smoothing: 0.2 }],
  ["cross_entropy", classes, { reduction: "none", label_smoothing: 0.1 }],
  ["cross_entropy", pair, {}],
  ["cross_entropy", [...pair, [6]], { label_smoothing: 0.1, reduction: "sum" }],
  ["cross_entropy", [...images, [4]], { ignore_index: 0 }],
  ["cross_entropy", [[4], [1]], {}],
  ["nll_loss", [...classes, [6]], { ignore_index: 3 }],
  ["nll_loss", [...images, [4]], { reduction: "none" }],
  ["mse_loss", triple, {}],
  ["mse_loss", [cells, [6]], {}],
  ["l1_loss", triple, { reduction: "mean" }],
  ["smooth_l1_loss", pair, { beta: 0.4 }],
  ["huber_loss", triple, { delta: 0.3 }],
  ["binary_cross_entropy", [...pair, [6]], {}],
  ["binary_cross_entropy_with_logits", [...pair, undefined, [6]], {}],
  ["binary_cross_entropy_with_logits", [...pair, [4, 1], [6]], { reduction: "none" }],
  ["kl_div", pair, { reduction: "batchmean" }],
  ["kl_div", pair, { log_target: true, reduction: "mean" }],
  ["poisson_nll_loss", pair, { full: true }],
  ["poisson_nll_loss", pair, { log_input: false, reduction: "none" }],
  ["gaussian_nll_loss", [...pair, [4]], { full: true }],
  ["gaussian_nll_loss", [...pair, [4, 1]], { reduction: "none" }],
  ["gaussian_nll_loss", [...pair, undefined], { var: 0.5 }],
  ["hinge_embedding_loss", pair, { margin: 0.5 }],
  ["margin_ranking_loss", [[4], [4], [4]], { margin: 0.1 }],
  ["multilabel_soft_margin_loss", [...pair, [6]], {}],
  ["multilabel_soft_margin_loss", pair, { reduction: "none" }],
  ["cosine_embedding_loss", [...pair, [4]], { margin: -0.5 }],
  ["cosine_embedding_loss", [...pair, [4]], { reduction: "none" }],
  ["triplet_margin_loss", triple, {}],
  ["triplet_margin_loss", triple, { p: 1, swap: true, margin: 2 }],
  ["triplet_margin_loss", triple, { p: 3, reduction: "none" }],
];
