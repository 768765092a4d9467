// Dtypes of operands that PyTorch refuses, by the names of its functions and of the library's entries.

import type { DType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { Typed } from "#language/document/bindings/types";

type Operands = readonly (Typed | undefined)[];

/** The wanted operands of a function, if it gets others; `undefined` if its operands are fine. */
type Check = (operands: Operands) => string | undefined;

const isWhole = (dtype: DType) => !isFloat(dtype);

/** A check that one of the operands has a refused type; a number counts by its own type. */
function wants(what: string, at: readonly number[], isRefused: (dtype: DType) => boolean): Check {
  return (operands) =>
    at.some((each) => {
      const operand = operands[each];
      return (
        operand !== undefined && operand.tensor?.isTypeAssumed !== true && isRefused(operand.dtype)
      );
    })
      ? what
      : undefined;
}

const floats = wants("floats", [0], isWhole);
const numbers = wants("numbers, no truth values", [0], (dtype) => dtype === "bool");
const bothNumbers = wants("numbers, no truth values", [0, 1], (dtype) => dtype === "bool");
const integers = wants("integers or truth values", [0, 1], isFloat);
const places = wants("integers", [0], (dtype) => isFloat(dtype) || dtype === "bool");
/** Classes are numbers of 64 bits, or bytes. */
const classNumbers = wants(
  "integers of 64 bits",
  [1],
  (dtype) => dtype !== "i64" && dtype !== "u8",
);
const shares = wants("floats", [1], isWhole);
const rows = wants("integers of 32 or 64 bits", [0], (dtype) => dtype !== "i64" && dtype !== "i32");
const placesSecond = wants("integers", [1], (dtype) => isFloat(dtype) || dtype === "bool");

const isTruth = (dtype: DType) => dtype === "bool" || dtype === "u8";
const ofTruths = wants("a condition of truth values", [0], (dtype) => !isTruth(dtype));
/** Alone a condition may be of numbers: it holds where they are not 0. */
const condition: Check = (operands) => (operands.length < 3 ? undefined : ofTruths(operands));
const mask = wants("a mask of truth values", [1], (dtype) => !isTruth(dtype));

/** Classes are whole numbers, where the target has other dims than what it is compared with. */
const classes: Check = (operands) => {
  const [input, target] = operands.map((each) => each?.tensor?.shape?.length);
  if (input === undefined || target === undefined) return undefined;
  return input === target ? undefined : classNumbers(operands);
};

/** Where it has the same dims it is a share of each class. */
const classShares: Check = (operands) => {
  const [input, target] = operands.map((each) => each?.tensor?.shape?.join());
  // Of an input of the text that says no data type its use is the type.
  if (operands[1]?.tensor?.producer === undefined) return undefined;
  return input === undefined || input !== target ? undefined : shares(operands);
};

const named = (names: string, ...checks: readonly Check[]) =>
  names.split(/\s+/).map((name) => [name, checks] as const);

const refused: ReadonlyMap<string, readonly Check[]> = new Map([
  ...named(
    `frac mean reduce_mean std var nanmean var_mean std_mean softmax log_softmax softmin
     logcumsumexp norm vector_norm matrix_norm leaky_relu elu gelu gelu_tanh silu mish softplus
     hardswish hardsigmoid celu selu hardshrink softshrink logsigmoid rrelu glu dropout dropout1d
     normalize layer_norm rms_norm group_norm instance_norm batch_norm
     multi_margin_loss renorm quantile nanquantile multinomial poisson svdvals eigvalsh eigh det
     svd qr cholesky matrix_exp frexp pdist`,
    floats,
  ),
  ...named(
    `neg negative floor ceil round trunc fix relu relu6 positive
     argmax argmin top_k topk`,
    numbers,
  ),
  ...named("sub subtract rsub matmul mm bmm", bothNumbers),
  ...named("bitwise_and bitwise_or bitwise_xor gcd lcm", integers),
  ...named("bitwise_not", wants("integers or truth values", [0], isFloat)),
  ...named("cross_entropy", floats, classes, classShares),
  ...named("nll_loss", floats, classes),
  ...named("bitwise_left_shift bitwise_right_shift", integers),
  ...named("embedding", rows),
  ...named("one_hot", places),
  ...named("where", condition),
  ...named("masked_fill masked_select", mask),
  ...named("places", integers),
  ...named("gather index_select", placesSecond),
  ...named(
    "binary_cross_entropy_with_logits kl_div binary_cross_entropy",
    wants("floats", [0, 1], isWhole),
  ),
]);

/** The operands that a function wants and does not get; `undefined` where it takes its operands. */
export function refusedOf(name: string, operands: Operands): string | undefined {
  for (const check of refused.get(name) ?? []) {
    const wanted = check(operands);
    if (wanted !== undefined) return wanted;
  }
  return undefined;
}
