// Places in a tensor that PyTorch 2.13 does not find, where they are numbers of the text.

import { integerOf, itemsOf } from "#language/document/bindings/values";
import { type Bound, type CallFault, type Check, every } from "./call-fault.ts";
import { each, placedDims } from "./value-faults.ts";

/** The first number that is no place among so many; negative ones count from the end, or are none. */
function outside(
  places: readonly number[] | undefined,
  size: number | undefined,
  least: number,
): number | undefined {
  return size === undefined ? undefined : places?.find((at) => at < least || at >= size);
}

/** The dim that a call names, and how many places it has. */
function dimOf(call: Bound): { readonly dim: number; readonly size: number } | undefined {
  const shape = call.tensor("input")?.shape;
  const given = integerOf(call.value("dim"));
  if (shape === undefined || given === undefined) return undefined;
  const dim = given < 0 ? given + shape.length : given;
  const size = shape.length === 0 ? 1 : shape[dim];
  return size === undefined ? undefined : { dim, size };
}

/** Checks that an index names places of the dim; whether they may be counted from its end. */
function along(kind: string, isCounted = false): Check {
  return (call) => {
    const found = dimOf(call);
    if (found === undefined) return undefined;
    const { dim, size } = found;
    const at = outside(call.tensor("index")?.elements(), size, isCounted ? -size : 0);
    if (at === undefined) return undefined;
    return [kind, `index ${at} is out of bounds for dimension ${dim} with size ${size}`];
  };
}

/** Checks an index that names rows: it is a vector. */
const vector: Check = (call) => {
  const rank = call.tensor("index")?.shape?.length ?? 0;
  if (rank <= 1) return undefined;
  return ["IndexError", `${call.name}(): Index is supposed to be a vector`];
};

/** Checks that places are whole numbers. */
const typedAs =
  (parameter: string, message: (name: string) => string): Check =>
  (call) => {
    const index = call.tensor(parameter)?.tensor;
    if (index === undefined || index.isTypeAssumed === true || index.isUnknown === true)
      return undefined;
    if (/^i(?:64|32)$/u.test(index.dtype)) return undefined;
    return ["RuntimeError", message(call.name)];
  };

const typed = typedAs("index", (name) => `${name}(): Expected dtype int32/int64 for index`);

/** An index that gathers is no larger than the tensor, apart from `dim`. */
const gathered: Check = (call) => {
  const [self, index] = [call.tensor("input")?.shape, call.tensor("index")?.shape];
  const dim = dimOf(call)?.dim;
  if (self === undefined || index === undefined || dim === undefined || index.includes(0))
    return undefined;
  if (Math.max(1, index.length) !== Math.max(1, self.length))
    return ["RuntimeError", "Index tensor must have the same number of dimensions as input tensor"];
  const wide = index.findIndex((size, at) => at !== dim && size > (self[at] ?? 1));
  if (wide < 0) return undefined;
  const message = `Size does not match at dimension ${wide} expected index [${index.join(", ")}] to be no larger than self [${self.join(", ")}] apart from dimension ${dim}`;
  return ["RuntimeError", message];
};

/** As many rows as places. */
const counted: Check = (call) => {
  const source = call.tensor("source")?.shape;
  const index = call.tensor("index")?.shape;
  const dim = dimOf(call)?.dim;
  if (source === undefined || index?.length !== 1 || dim === undefined) return undefined;
  const [count, rows] = [index[0], source.length === 0 ? 1 : source[dim]];
  if (rows === undefined || count === rows) return undefined;
  return [
    "RuntimeError",
    `${call.name}(): Number of indices (${count}) should be equal to source.size(dim): (${rows}), for dim: ${dim}`,
  ];
};

/** Places among all elements, as `take` counts them. */
const flat: Check = (call) => {
  const count = call.tensor("input")?.shape?.reduce((product, size) => product * size, 1);
  const at = outside(call.tensor("index")?.elements(), count, -(count ?? 0));
  if (at === undefined) return undefined;
  const message = `out of range: tried to access index ${at} on a tensor of ${count} elements.`;
  return ["IndexError", message];
};

/** Places of `index_put`, one row of them for each dim. */
const put: Check = (call) => {
  const shape = call.tensor("input")?.shape;
  for (const [dim, index] of (itemsOf(call.value("indices")) ?? []).entries()) {
    const [given, size] = [call.of(index), shape?.[dim]];
    const isOfPlaces = given !== undefined && /^i/u.test(given.tensor.dtype);
    const at = isOfPlaces ? outside(given.elements(), size, -(size ?? 0)) : undefined;
    if (at !== undefined)
      return ["IndexError", `index ${at} is out of bounds for dimension ${dim} with size ${size}`];
  }
  return undefined;
};

/** Bags of rows: rows of the table, and bags that begin inside of them. */
const bagged: Check = (call): CallFault | undefined => {
  const rows = call.tensor("weight")?.shape?.[0];
  const input = call.tensor("input");
  const at = outside(input?.elements(), rows, 0);
  if (at !== undefined) {
    const message = `Index of input takes value ${at} which is not in the valid range [0, ${rows})`;
    return ["RuntimeError", message];
  }
  const starts = call.tensor("offsets")?.elements();
  const [first, last, count] = [starts?.[0], starts?.at(-1), input?.shape?.[0]];
  if (first !== undefined && first !== 0) {
    const message = `offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got ${first}`;
    return ["RuntimeError", message];
  }
  if (last === undefined || count === undefined || last <= count) return undefined;
  const message = `offsets[-1] can not be greater than input's length ${count} but got offsets[-1] of ${last}`;
  return ["RuntimeError", message];
};

const scattering = "scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_";

/** Checks of functions by their names. */
export const placeChecks: Readonly<Record<string, Check>> = {
  gather: every(placedDims, typed, gathered, along("RuntimeError")),
  ...each(scattering, every(placedDims, along("RuntimeError"))),
  index_select: every(placedDims, vector, typed, along("IndexError")),
  ...each("index_add index_add_", every(placedDims, vector, typed, counted, along("RuntimeError"))),
  ...each("index_copy index_copy_", every(placedDims, vector, typed, counted, along("IndexError"))),
  ...each(
    "index_reduce index_reduce_",
    every(placedDims, vector, typed, counted, along("IndexError")),
  ),
  ...each("index_fill index_fill_", every(placedDims, vector, along("IndexError", true))),
  ...each("take put put_", flat),
  ...each("index_put index_put_", put),
  embedding_bag: every(
    typedAs("input", () => "Expected tensor for argument #1 'indices' to be of type Long or Int"),
    bagged,
  ),
};
