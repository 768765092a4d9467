import { fieldOf } from "#core/records";
import { attentionKernels } from "./attention-kernels.ts";
import { productKernels, productsOfOperands } from "./contraction.ts";
import { convolutionKernels } from "./convolution-kernels.ts";
import type { Kernel, Traffic, TrafficKind } from "./kernel.ts";
import type { LocalOperator } from "./local-operator.ts";
import { normKernels, softmaxKernels } from "./row-kernels.ts";
import { sumBytes, touchedBytes } from "./work.ts";

type Rule = (local: LocalOperator) => readonly Kernel[];

/**
 * Kernels of a library entry, as far as its name determines them; empty for entries that move no
 * byte.
 */
export function kernelsByName(local: LocalOperator): readonly Kernel[] | undefined {
  return fieldOf(rules, local.entry)?.(local);
}

function traffic(kind: TrafficKind, bytes: number): readonly Traffic[] {
  return [{ class: "traffic", kind, bytes }];
}

const free: Rule = () => [];
/** A copy into another order of dims reads or writes across rows. */
const copied: Rule = (local) => {
  const isTurned = local.inputs[0]?.isAcross !== local.outputs[0]?.isAcross;
  return traffic(isTurned ? "transposing copy" : "elementwise", touchedBytes(local));
};
const streamed: Rule = (local) => traffic("elementwise", touchedBytes(local));
const activation: Rule = (local) => traffic("activation", touchedBytes(local));
const optimizer: Rule = (local) => traffic("optimizer", touchedBytes(local));
/** A kernel that only writes its results. */
const filled: Rule = ({ outputs }) => traffic("elementwise", sumBytes(outputs));

/** A look-up: its rows are read and written, and its indices are read. */
const lookup: Rule = ({ inputs, outputs }) => {
  const indices = Math.min(...inputs.map(({ bytes }) => bytes));
  return traffic("lookup", 2 * sumBytes(outputs) + indices);
};

/** Gradients of looked up rows are added to a table of zeros. */
const scattered: Rule = ({ inputs, outputs }) => [
  ...traffic("elementwise", sumBytes(outputs)),
  ...traffic("scatter", 3 * (inputs[0]?.bytes ?? 0)),
];

/** A copy in a new dtype; no kernel if the dtype stays. */
const cast: Rule = (local) => (isSameType(local) ? [] : streamed(local));

function isSameType({ inputs, outputs }: LocalOperator): boolean {
  return inputs[0]?.dtype === outputs[0]?.dtype;
}

/** Products; without any, a sum over axes, an element-wise product, or another view of an operand. */
const einsum: Rule = (local) => {
  const products = productKernels(local, productsOfOperands(local));
  if (products.length > 0) return products;
  if (local.inputs.length > 1) return summing(local) ? reduction(local) : streamed(local);
  if (summing(local)) return reduction(local);
  const isScaled = (fieldOf(local.operator.attributes, "scale") ?? 1) !== 1;
  return isScaled || !isSameType(local) ? streamed(local) : [];
};

function summing({ inputs, outputs }: LocalOperator): boolean {
  return (inputs[0]?.elements ?? 0) > (outputs[0]?.elements ?? 0);
}

/** Sums along rows read faster than sums over rows, such as the gradient of a bias. */
const reduction: Rule = (local) => {
  const last = local.inputs[0]?.dims.at(-1)?.identifiers ?? [];
  const kept = new Set(local.outputs[0]?.dims.flatMap(({ identifiers }) => identifiers));
  const isOverRows = last.some((axis) => kept.has(axis) && local.sizeOf(axis) > 1);
  return traffic(isOverRows ? "column sum" : "row sum", touchedBytes(local));
};

/**
 * The mask is kept in addition to the result, with a byte per element; a dropout with probability 0
 * returns its operand.
 */
const dropout: Rule = (local) => {
  if (fieldOf(local.operator.attributes, "p") === 0) return [];
  const mask = local.outputs.length > 1 ? 0 : (local.outputs[0]?.elements ?? 0);
  return traffic("dropout", touchedBytes(local) + mask);
};

/** Several passes over rows: as many as a usual radix sort with 8 bits per pass needs. */
const sorted: Rule = (local) => traffic("elementwise", 4 * touchedBytes(local));

/** The rules whose kernels may be products; the others move bytes alone. */
const multiplying: ReadonlySet<Rule> = new Set([einsum, attentionKernels, convolutionKernels]);

/**
 * Whether kernels of a library entry may be products; `undefined` if its name does not determine
 * them.
 */
export function mayMultiply(entry: string): boolean | undefined {
  const rule = fieldOf(rules, entry);
  return rule && multiplying.has(rule);
}

function each(names: string, rule: Rule): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, rule]));
}

const rules: Readonly<Record<string, Rule>> = {
  ...each("matmul linear einsum outer addmm", einsum),
  ...each("reshape flatten squeeze unsqueeze identity", copied),
  ...each("permute transpose expand split chunk slice select sum_backward", free),
  ...each("cast", cast),
  ...each("zeros_like", filled),
  ...each("gelu gelu_tanh gelu_backward gelu_tanh_backward", activation),
  ...each("sum mean amax amin prod var norm logsumexp sum_to argmax argmin", reduction),
  ...each("reduce_mean reduce_max reduce_min", reduction),
  ...each("embedding gather index_select take", lookup),
  ...each("embedding_backward gather_backward index_select_backward", scattered),
  ...each("dropout dropout_with_mask", dropout),
  ...each("sgd momentum adam adamw", optimizer),
  ...each("sort top_k cumsum", sorted),
  ...each("attention attention_backward", attentionKernels),
  ...each("conv1d conv2d conv3d conv_transpose2d", convolutionKernels),
  ...each("conv1d_backward conv2d_backward conv3d_backward", convolutionKernels),
  ...each("conv_transpose2d_backward", convolutionKernels),
  ...each("layer_norm rms_norm layer_norm_with_moments rms_norm_with_root", normKernels),
  ...each("group_norm batch_norm instance_norm", normKernels),
  ...each("layer_norm_backward rms_norm_backward group_norm_backward", normKernels),
  ...each("batch_norm_backward instance_norm_backward", normKernels),
  ...each("softmax log_softmax cross_entropy", softmaxKernels),
  ...each("softmax_backward log_softmax_backward cross_entropy_backward", softmaxKernels),
};
