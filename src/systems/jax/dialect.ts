import type { DType } from "#core/ir";
import type { Combine, ScalarFunction } from "#core/ir/body";
import type { Dialect } from "#systems/arrays";
import {
  atom,
  axisNames,
  bracketed,
  type Labelled,
  numpyName,
  tuple,
  widestFloat,
} from "#systems/arrays/python";

const calls: Readonly<Partial<Record<ScalarFunction, string>>> = {
  abs: "jnp.abs",
  sign: "jnp.sign",
  max: "jnp.maximum",
  min: "jnp.minimum",
  exp: "jnp.exp",
  log: "jnp.log",
  sqrt: "jnp.sqrt",
  rsqrt: "lax.rsqrt",
  tanh: "jnp.tanh",
  sigmoid: "jax.nn.sigmoid",
  erf: "lax.erf",
  sin: "jnp.sin",
  cos: "jnp.cos",
  pow: "jnp.power",
  floor: "jnp.floor",
  select: "jnp.where",
};

/** Bodies written with `jax.numpy`, which promotes dtypes by itself. */
export const jaxDialect: Dialect = {
  names: [
    ..."os jax jnp lax np P plan mesh device reference element low INPUTS OUTPUTS HELD".split(" "),
    ..."held mine group overlap kept placed arranged all_gather all_to_all psum_scatter".split(" "),
    ..."re sys types process_allgather in_doubles compared exchange own_part block_shape BEYOND".split(
      " ",
    ),
  ],
  infinity: "jnp.inf",
  operand: (name) => name,
  call(name, args) {
    const call = calls[name];
    return call === undefined
      ? undefined
      : atom(`${call}(${args.map(({ code }) => code).join(", ")})`);
  },
  folded: (combine: Combine, { code }: Labelled, dims: readonly number[]) =>
    `jnp.${combine}(${code}, axis=${dims.length === 1 ? dims[0] : tuple(dims)})`,
  transposed: (code, places) => `${code}.transpose(${places.join(", ")})`,
  einsum: (equation, arrays) => `jnp.einsum("${equation}", ${arrays.join(", ")})`,
  indices: (length) => `jnp.arange(${length})`,
  filled: ({ code }, shape) => `jnp.broadcast_to(${code}, ${tuple(shape)})`,
  scalar: (code) => `jnp.asarray(${code})`,
  typed: ({ code }, dtype: DType, read) =>
    read.length > 0 && widestFloat(read) !== dtype && read.some((each) => each !== dtype)
      ? `jnp.asarray(${code}, jnp.${numpyName(dtype)})`
      : code,
  numeric: (value, dtype) =>
    value.isNumber === true
      ? `float(${value.code})`
      : `${bracketed(value, 8)}.astype(jnp.${numpyName(dtype)})`,
  subtractsComparisons: true,
  coordinate: (axes) => `lax.axis_index(${axisNames(axes)})`,
  picked: (values, position) =>
    `jnp.array(${JSON.stringify(values).replaceAll(",", ", ")})[${position}]`,
  joinedIndices: (starts, length) => `(${starts}[:, None] + jnp.arange(${length})).reshape(-1)`,
  // A dynamic slice would instead shift its start so as not to reach beyond the end.
  narrowed: (code, dim, start, length) =>
    `jnp.take(${code}, ${start} + jnp.arange(${length}), axis=${dim}, mode="clip")`,
  chosen: (condition, code, otherwise) => `jnp.where(${condition.code}, ${code}, ${otherwise})`,
  padsBlocks: true,
};
