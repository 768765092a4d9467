// Result dtypes of the functions of torch that are no entries of the library, by function name.

import type { Span } from "#core/diagnostics";
import type { DType } from "#core/ir";
import { type Promotion, resultType, type TypeRule } from "#core/ir/types";
import type { TensorBindings } from "#language/document/bindings";
import { longDType, type Typed } from "#language/document/bindings/types";
import { itemsOf } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";

/** A rule of the library, or one of a function alone. */
type Rule =
  | TypeRule
  | ((
      operands: readonly (Typed | undefined)[],
      promotion: Promotion,
      isAsked: (name: string) => boolean,
    ) => DType | undefined);

const first: TypeRule = { kind: "like", operand: 0 };
const always = (dtype: DType): TypeRule => ({ kind: "always", dtype });
const [flags, indices, codes] = [always("bool"), always("i64"), always("i32")];
const summed: TypeRule = { kind: "summed", operands: [0] };
const float: TypeRule = { kind: "float", operands: [0] };
const pair = { operands: [0, 1] } as const;
const triple = { operands: [0, 1, 2] } as const;

/** `all` and `any` of bytes are bytes. */
const truth: Rule = ([given]) => (given?.dtype === "u8" ? "u8" : "bool");

/** Tensors meet, and become floats. */
const tensorsFloat: Rule = (operands, promotion) => {
  const all = operands.flatMap((each) => (each?.tensor === undefined ? [] : [each]));
  return resultType({ kind: "float" }, all, promotion);
};

/** Tensors that are written where others stand are of their data type, whatever the places are. */
const tensorsSame: TypeRule = { kind: "same", operands: [0, 3] };

/** Integers stay integers where the quotient is rounded. */
const divided: Rule = (operands, promotion, isAsked) =>
  resultType(
    { kind: isAsked("rounding_mode") ? "promoted" : "float", ...pair },
    operands,
    promotion,
  );

/** A histogram counts in integers, weights in double precision unless they are of single. */
const counted: Rule = ([, weights]) => {
  if (weights?.tensor === undefined) return "i64";
  return weights.dtype === "f32" ? "f32" : "f64";
};

/** Places are int64, unless they are asked to be int32. */
const places: Rule = (_, __, isAsked) => (isAsked("out_int32") ? "i32" : "i64");

const named = (names: string, ...rules: readonly Rule[]) =>
  names.split(/\s+/).map((name) => [name, rules] as const);

/** Type rules of functions that have no library entry, or that differ from their entry. */
const rules: ReadonlyMap<string, readonly Rule[]> = new Map([
  ...named(
    `erfinv asin acos atan acosh atanh arccos
     arccosh arcsin arcsinh arctan arctanh digamma lgamma i0 angle logit sinc entr
     erfcx expit gammaln i0e i1 i1e log_ndtr ndtr ndtri psi mvlgamma
     multigammaln cov corrcoef lp_pool1d lp_pool2d lp_pool3d local_response_norm`,
    float,
  ),
  ...named("xlogy xlog1py zeta atan2 arctan2 copysign ldexp pairwise_distance true_divide", {
    kind: "float",
    ...pair,
  }),
  ...named("divide", divided),
  ...named("trapezoid trapz polygamma", tensorsFloat),
  ...named(
    `fmax fmin floor_divide bitwise_left_shift
     bitwise_right_shift logaddexp2 nextafter gcd lcm igamma igammac gammainc
     gammaincc dist kron cosine_similarity clamp_min clamp_max rsub`,
    { kind: "promoted", ...pair },
  ),
  ...named("addcmul addcdiv addr addbmm", { kind: "promoted", ...triple }),
  ...named("block_diag", { kind: "promoted" }),
  ...named("mv dot vdot heaviside", { kind: "same", ...pair }),
  ...named("addmv conv_transpose1d conv_transpose3d conv_tbc", { kind: "same" }),
  ...named("scatter_reduce", tensorsSame),
  ...named("bilinear", { kind: "same", ...triple }),
  ...named("isnan isinf isfinite isneginf isposinf isreal signbit", flags),
  ...named("isclose isin native_dropout_mask", flags),
  ...named("all any", truth),
  ...named("count_nonzero argsort nonzero argwhere", indices),
  ...named("searchsorted bucketize", places),
  ...named("multinomial matrix_rank unique_inverse", indices),
  ...named("bincount", counted),
  ...named("trace nansum cumprod vander", summed),
  ...named(
    "median nanmedian mode kthvalue cummax cummin unique unique_consecutive",
    first,
    indices,
  ),
  ...named(
    `max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
     fractional_max_pool2d fractional_max_pool3d max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices
     adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices
     adaptive_max_pool3d_with_indices fractional_max_pool2d_with_indices
     fractional_max_pool3d_with_indices`,
    first,
    indices,
  ),
  ...named("frexp inv_ex cholesky_ex lu_factor", first, codes),
  ...named("frexp_exponent inv_ex_info cholesky_ex_info", codes),
  ...named("embedding_bag embedding_bag_mean embedding_bag_sum embedding_bag_max", {
    kind: "like",
    operand: 1,
  }),
  ...named("float_power", always("f64")),
]);

/**
 * Gives the results of a function the dtypes that it gives them; what it only passes on keeps its
 * own.
 *
 * @param args what the function is given
 */
export function withTypes(
  tensors: TensorBindings,
  name: string,
  args: readonly Argument[],
  result: Value,
  context: Context,
  span: Span,
): Value {
  const own = rules.get(name) ?? [];
  const values = args.flatMap(({ value }) => itemsOf(value) ?? [value]);
  const isAsked = (asked: string) =>
    args.some((each) => each.name === asked && each.value.kind !== "none" && !isFalse(each.value));
  const given = values.map((value) => tensors.types.operand(value, tensors.tensorOf(value)));
  const [rule] = own;
  const isCommon = rule !== undefined && typeof rule !== "function";
  const operands = isCommon
    ? tensors.types.agree(name, [rule], given, () => true, context, span)
    : given;
  if (!isAsked("dtype") && !tensors.types.areCheckedElsewhere)
    tensors.types.sayRefused?.(name, operands, context, span);
  const passed = new Set(operands.flatMap((each) => each?.tensor ?? []));
  for (const [at, each] of (itemsOf(result) ?? [result]).entries()) {
    const tensor = tensors.tensorOf(each);
    const its = own[at] ?? own.at(-1);
    if (tensor?.producer === undefined || passed.has(tensor) || its === undefined) continue;
    Object.assign(tensor, typeBy(tensors, its, operands, isAsked));
  }
  return result;
}

function typeBy(
  { types }: TensorBindings,
  rule: Rule,
  operands: readonly (Typed | undefined)[],
  isAsked: (name: string) => boolean,
): object {
  if (typeof rule === "function") {
    const dtype = rule(operands, types.promotion, isAsked);
    return dtype === undefined ? {} : { dtype, dtypeText: longDType(dtype) };
  }
  const [type] = types.results([rule], operands);
  if (type === undefined) return {};
  const { dtype, dtypeText, isAssumed } = type;
  return { dtype, dtypeText, isTypeAssumed: isAssumed };
}

function isFalse(value: Value): boolean {
  return value.kind === "bool" && !value.value;
}

/**
 * The names of the functions that are typed here.
 *
 * @internal
 */
export function namesTypedHere(): readonly string[] {
  return [...rules.keys()];
}
