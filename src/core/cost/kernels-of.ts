import type { DType, Operator } from "#core/ir";
import { isFloat } from "#core/ir/types";
import {
  type ProductSizes,
  productKernels,
  productOfPair,
  productsOfBody,
  productsOfOperands,
} from "./contraction.ts";
import { contractsAxis, windowProducts } from "./contracts-axis.ts";
import type { Kernel } from "./kernel.ts";
import { kernelsByName, mayMultiply } from "./kernels-by-name.ts";
import type { LocalOperator } from "./local-operator.ts";
import { touchedBytes } from "./work.ts";

/**
 * The kernels that a device runs for an operator (cost.md §1): those that its name means, else the
 * products of its body, else one that reads its operands and writes its results; none for a view.
 */
export function kernelsOf(local: LocalOperator): readonly Kernel[] {
  if (local.isView) return [];
  const isPoints = isByIndexSpace(local);
  const named = isPoints ? undefined : kernelsByName(local);
  if (named !== undefined) return named;
  const products = isPoints ? productsOfPoints(local) : sums(local) ? productsOfBody(local) : [];
  if (products.length > 0) return productKernels(local, products);
  return [{ class: "traffic", kind: "elementwise", bytes: touchedBytes(local) }];
}

/** Whether the kernels of an operator (`kernelsOf`) certainly contain no product. */
export function multipliesNothing(operator: Operator): boolean {
  if (isByIndexSpace({ operator })) return false;
  return !(mayMultiply(operator.entry ?? "") ?? sums({ operator }));
}

/** Whether an operator reduces over an axis; an element-wise operator computes no product. */
function sums({ operator }: Pick<LocalOperator, "operator">): boolean {
  return operator.axes.some(({ reduction }) => reduction !== "");
}

/** Whether only the index space (annotation) of an operator is known. */
function isByIndexSpace({ operator }: Pick<LocalOperator, "operator">): boolean {
  const { entry, body, points } = operator;
  return points !== undefined || (entry === undefined && body === undefined);
}

/**
 * One product with two operations per point of the index space, if some axis is contracted; where
 * windows meet, with two for every cell of the smaller one.
 */
function productsOfPoints(local: LocalOperator): readonly ProductSizes[] {
  const { operator, sizeOf } = local;
  const perPoint = contractsAxis({ ...operator, inputs: factorsOf(local) })
    ? 1
    : windowProducts(operator);
  if (perPoint === 0) return [];
  const points = operator.axes.reduce((product, { name }) => product * sizeOf(name), perPoint);
  // Further operands are read element by element beside the product.
  const pair = local.inputs.length > 2 ? productOfPair(local, points) : undefined;
  if (pair !== undefined) return [pair];
  const [largest] = [...productsOfOperands(local)].sort((a, b) => sizeIn(b) - sizeIn(a));
  const sizes = largest ?? { batch: 1, rows: 1, columns: 1, inner: points };
  return [{ ...sizes, batch: (sizes.batch * points) / Math.max(1, sizeIn(sizes)) }];
}

/** Factors of the product: next to float operands, integer operands are indices and no factors. */
function factorsOf({ operator, inputs }: LocalOperator): Operator["inputs"] {
  const hasFloats = inputs.some(({ dtype }) => isFloat(dtype));
  if (!hasFloats) return operator.inputs;
  const isPlace = (dtype: DType | undefined) => dtype === "i64" || dtype === "i32";
  return operator.inputs.filter((_, at) => !isPlace(inputs[at]?.dtype));
}

function sizeIn({ batch, rows, columns, inner }: ProductSizes): number {
  return batch * rows * columns * inner;
}
