import type { FunctionsOf } from "./functions-of.ts";

/**
 * Functions that MindSpore 2.10 compiles to one primitive on their first operands (recorded one by
 * one). Each row has the primitive, after a slash the primitive used when the second operand is a
 * number, and after the colon the functions. `!` means that all operands must be tensors, `^` that
 * the first must be.
 */
const rows: Readonly<Record<FunctionsOf, readonly string[]>> = {
  ops: [
    ...["Abs: abs absolute", "ACos: acos arccos", "Acosh: acosh arccosh", "Angle: angle"],
    ...["Asin: asin arcsin", "Asinh: asinh arcsinh", "Atan: atan arctan", "Atanh: atanh arctanh"],
    ...["BesselI0: bessel_i0 i0", "BesselI0e: bessel_i0e", "BesselI1: bessel_i1"],
    ...["BesselI1e: bessel_i1e", "BesselJ0: bessel_j0", "BesselJ1: bessel_j1"],
    ...["BesselK0: bessel_k0", "BesselK0e: bessel_k0e", "BesselK1: bessel_k1"],
    ...["BesselK1e: bessel_k1e", "BesselY0: bessel_y0", "BesselY1: bessel_y1"],
    ...["Ceil: ceil", "CeLU: celu", "Conj: conj", "Cos: cos", "Cosh: cosh", "Digamma: digamma"],
    ...["Erf: erf", "Erfc: erfc", "Erfinv: erfinv", "Exp: exp", "Expm1: expm1", "Floor: floor"],
    ...["FastGeLU: fast_gelu", "HSigmoid: hardsigmoid", "HSwish: hardswish", "Imag: imag"],
    ...["Inv: inv", "IsFinite: isfinite", "IsInf: isinf", "IsNan: isnan", "Lgamma: lgamma"],
    ...["Log: log", "Log1p: log1p", "LogicalNot: logical_not", "Mish: mish", "Neg: neg negative"],
    ...["ReLU: relu", "ReLU6: relu6", "Real: real", "Reciprocal: reciprocal", "Round: round"],
    ...["Rsqrt: rsqrt", "SeLU: selu", "SiLU: silu", "Sigmoid: sigmoid", "Sign: sign sgn"],
    ...["Sin: sin", "Sinc: sinc", "Sinh: sinh", "Softsign: softsign", "Sqrt: sqrt"],
    ...["Square: square", "Tan: tan", "Tanh: tanh", "Trunc: trunc", "ZerosLike: zeros_like"],
    ...["OnesLike: ones_like", "Invert: invert"],
    ...["Add: add tensor_add", "Atan2: atan2 arctan2", "Div: true_divide", "RealDiv: tensor_div"],
    ...["Equal^: eq equal", "Pow: pow tensor_pow", "FloorMod: floor_mod"],
    ...["FloorDiv: floor_div floor_divide tensor_floordiv", "Fmax: fmax", "Fmin: fmin"],
    ...["GreaterEqual: ge greater_equal tensor_ge", "Greater: gt greater tensor_gt"],
    ...["Heaviside!: heaviside", "Hypot: hypot", "LessEqual: le less_equal tensor_le"],
    ...["Less^/LessScalar: lt less", "LogicalAnd: logical_and", "LogicalOr: logical_or"],
    ...["LogicalXor: logical_xor", "Maximum: maximum", "Minimum: minimum"],
    ...["Mul: mul multiply tensor_mul", "NotEqual: ne not_equal", "NextAfter!: nextafter"],
    ...["Sub: sub subtract tensor_sub", "TruncateDiv: truncate_div", "TruncateMod: truncate_mod"],
    ...["Xdivy: xdivy", "Xlogy: xlogy", "BiasAdd: bias_add", "BatchMatMul: bmm"],
    ...["BitwiseAnd: bitwise_and", "BitwiseOr: bitwise_or", "BitwiseXor: bitwise_xor"],
    ...["LeftShift: bitwise_left_shift", "RightShift: bitwise_right_shift", "Ger: ger"],
    ...["FloorMod: tensor_mod", "Less/LessScalar: tensor_lt", "IsClose!: isclose"],
    ...["ApproximateEqual!: approximate_equal", "Gcd: gcd", "MatMul: mm", "Trace: trace"],
    ...["Polar!: polar", "Zeta!: zeta", "Igamma!: igamma", "Igammac!: igammac"],
  ],
  mint: [
    ...["Abs: abs", "AcosExt: acos arccos", "AcoshExt: acosh arccosh", "AsinExt: asin arcsin"],
    ...["AsinhExt: asinh arcsinh", "AtanExt: atan arctan", "Atanh: atanh arctanh", "Ceil: ceil"],
    ...["Cos: cos", "Cosh: cosh", "Erf: erf", "Erfc: erfc", "Erfinv: erfinv", "Exp: exp"],
    ...["Exp2: exp2", "Expm1: expm1", "Floor: floor", "Frac: frac", "IsFinite: isfinite"],
    ...["IsInf: isinf", "IsNegInf: isneginf", "Log: log", "Log10: log10", "Log1p: log1p"],
    ...["Log2: log2", "LogicalNot: logical_not", "Neg: neg negative", "ReLU: relu"],
    ...["OnesLikeExt: ones_like", "ZerosLikeExt: zeros_like", "Reciprocal: reciprocal"],
    ...["Round: round", "Rsqrt: rsqrt", "Sigmoid: sigmoid", "Sign: sign", "Sin: sin"],
    ...["Sinc: sinc", "Sinh: sinh", "Sqrt: sqrt", "Square: square", "Tan: tan", "Tanh: tanh"],
    ...["Trunc: trunc fix", "Atan2Ext: atan2 arctan2"],
    ...["EqualExt^: equal", "Equal^/EqScalar: eq", "FloorDiv/FloorDivScalar: floor_divide"],
    ...["FmodTensor^/FmodScalar: fmod"],
    ...["GreaterEqual/GreaterEqualScalar: ge greater_equal", "Greater: gt greater"],
    ...["LessEqual: le less_equal", "Less^/LessScalar: lt less", "LogAddExp!: logaddexp"],
    ...["LogAddExp2!: logaddexp2", "Maximum: maximum", "Minimum: minimum", "Mul/Muls: mul"],
    ...["NotEqual: ne not_equal", "RemainderTensorTensor/RemainderTensorScalar: remainder"],
    ...["Xlogy/XLogYScalarOther: xlogy", "LogicalAnd: logical_and"],
    ...["LogicalOr: logical_or", "LogicalXor: logical_xor", "BatchMatMulExt: bmm"],
    ...[
      "BitwiseAndTensor/BitwiseAndScalar: bitwise_and",
      "BitwiseOrTensor/BitwiseOrScalar: bitwise_or",
    ],
    ...["BitwiseXorTensor/BitwiseXorScalar: bitwise_xor", "BitwiseNot: bitwise_not"],
    ...["IsClose!: isclose", "Mm: mm", "Mv: mv", "Dot: dot", "Gcd: gcd", "Polar!: polar"],
  ],
  functional: [
    ...["GeluExt: gelu", "HSigmoid: hardsigmoid", "HSwish: hardswish", "Hardtanh: hardtanh relu6"],
    ...["LogSigmoid: logsigmoid", "MishExt: mish", "ReLU: relu", "SeLUExt: selu", "SiLU: silu"],
    ...["Sigmoid: sigmoid", "Tanh: tanh"],
  ],
  numpy: [
    ...["Abs: abs", "Exp: exp", "Log: log", "Sqrt: sqrt", "Square: square", "Tanh: tanh"],
    ...["Mul: multiply", "Pow: power", "RealDiv: divide", "Sub: subtract"],
  ],
  Tensor: [
    ...["Equal^/EqScalar: eq", "FloorDiv/FloorDivScalar: floor_divide"],
    ...["Mul/Muls: mul", "SubExt: subtract", "BitwiseNot: bitwise_not", "MatMul: mm"],
    ...["BitwiseAnd/BitwiseAndScalar: bitwise_and", "BitwiseOr/BitwiseOrScalar: bitwise_or"],
    ...["BitwiseXor/BitwiseXorScalar: bitwise_xor"],
  ],
};

/** The primitive that implements a function of one or two operands. */
export interface SimpleFunction {
  readonly primitive: string;
  /** The primitive for a number as second operand. */
  readonly withNumber?: string;
  /** The number of leading operands that must be tensors. */
  readonly tensors?: 1 | 2;
}

const tables: ReadonlyMap<string, SimpleFunction> = new Map(
  Object.entries(rows).flatMap(([owner, lines]) =>
    lines.flatMap((line) => {
      const [primitives = "", names = ""] = line.split(": ");
      const [written = "", withNumber] = primitives.split("/");
      const tensors = written.endsWith("!") ? 2 : written.endsWith("^") ? 1 : undefined;
      const primitive = written.replace(/[!^]$/, "");
      const made: SimpleFunction = {
        primitive,
        ...(withNumber !== undefined && { withNumber }),
        ...(tensors !== undefined && { tensors }),
      };
      return names.split(" ").map((name) => [`${owner}.${name}`, made] as const);
    }),
  ),
);

/**
 * The primitive of a function; tensor methods use the row of `ops` unless they have their own.
 * `undefined` if unknown.
 */
export function simpleFunction(owner: FunctionsOf, name: string): SimpleFunction | undefined {
  if (owner === "Tensor" && /^(add|sub)$/.test(name)) return undefined;
  const own = tables.get(`${owner}.${name}`);
  return own ?? (owner === "Tensor" ? tables.get(`ops.${name}`) : undefined);
}
