import { sameItems } from "#core/records";
import {
  broadcast,
  kept,
  keptInAll,
  type LinkCall,
  type LinkedDim,
  type Links,
  likeInput,
  own,
  summed,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

const same = (call: LinkCall): Links => ({ outputs: [likeInput(call)] });
const stretched = (call: LinkCall): Links | string =>
  unlikeSizes(call) ?? { outputs: [broadcast(call)], isInResultOrder: true };

/**
 * Message for inputs that do not broadcast: aligned sizes must be equal or 1. `undefined` if they
 * do.
 */
export function unlikeSizes(call: LinkCall): string | undefined {
  const { op, shapes } = call;
  // Outer combines every element with every other, so any sizes fit.
  if (op === "Outer") return undefined;
  const isUnlike = broadcast(call).some(({ size, refs }) =>
    refs.some(([input, dim]) => ![1, size].includes(shapes[input]?.[dim] ?? 1)),
  );
  if (!isUnlike) return undefined;
  const list = shapes.map((shape) => `(${shape.join(", ")})`).join(" and ");
  return `the inputs of ${op} have shapes ${list}, which do not broadcast`;
}

/** Links of inputs with one shape, which are cut alike. */
const alike = (call: LinkCall): Links => ({
  outputs: [likeInput(call).map((_, dim) => keptInAll(call, dim))],
});

/**
 * Links of PReLU: the slopes belong to dim 1, whatever their number, or a single slope serves all
 * channels.
 */
function prelu(call: LinkCall): Links {
  const [x = [], slopes = []] = call.shapes;
  const isShared = slopes[0] === 1 || x.length < 2;
  const dims = x.map((_, dim) =>
    dim === 1 && !isShared ? kept(call, [0, 1], [1, 0]) : kept(call, [0, dim]),
  );
  return { outputs: [dims], ...(!isShared && { isScaled: true }) };
}

/** Links of BiasAdd: the bias belongs to the channels, which are dim 1. */
function biasOfChannels(call: LinkCall): Links {
  const dims = likeInput(call).map((_, dim) =>
    dim === 1 ? kept(call, [0, 1], [1, 0]) : kept(call, [0, dim]),
  );
  return { outputs: [dims] };
}

/** Element-wise primitives of MindSpore (its `activation_info`, `arithmetic_info`). */
export const elementWiseRows: readonly SpecRow[] = [
  [
    "ACos Acosh Asin Asinh Atan Atanh BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 Ceil Cosh Erf Erfc Erfinv Expm1 Floor HSigmoid Identity Inv Lgamma Log1p Mish ReLU6 Reciprocal Rint Round SeLU Sign Sin Sinh Softplus Softsign Tan Trunc ZerosLike FastGelu FastGeLU StopGradient Cos",
    "",
    "x",
    same,
    { takesLayouts: true },
  ],
  [
    "BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 Digamma HSwish Sinc Exp2 Acos LogSigmoid NegExt OnesLike ReLUV2 SoftPlus Swish",
    "",
    "x",
    same,
  ],
  ["Invert PopulationCount", "", "x", same, { takesLayouts: true }],
  ["IsFinite IsInf IsNan", "", "x", same, { dtype: "bool", takesLayouts: true }],
  ["LogicalNot", "", "x", same, { dtype: "bool", takesLayouts: true }],
  ["HShrink SoftShrink", "lambd", "x", same, { takesLayouts: true }],
  ["Fills", "", "x [value]", same],
  ["Elu", "alpha", "x", same, { takesLayouts: true }],
  ["LeakyReLU", "", "x [negative_slope]", same],
  ["LeakyReLUExt", "", "x [negative_slope]", same, { takesLayouts: true }],
  ["HardShrink", "", "x [lambd]", same],
  ["EluExt", "", "x [alpha]", same, { takesLayouts: true }],
  ["SoftplusExt", "", "x [beta] [threshold]", same, { takesLayouts: true }],
  ["Logit", "eps", "x", same],
  ["NanToNum", "", "x [nan] [posinf] [neginf]", same, { takesLayouts: true }],
  ["FmodScalar Muls", "", "x [other]", same, { takesLayouts: true }],
  ["InplaceMuls InplaceAddsExt InplaceDivs", "", "x [other]", same, { takesLayouts: true }],
  ["InplaceSubScalar InplaceFloorDivides InplaceRemainderTensorScalar", "", "x [other]", same],
  // Whether 2.10 cuts the second operand is not known; here it stays whole.
  ["InplaceRemainderTensorTensor", "", "x y", same],
  [
    "InplaceErfinv InplaceExp InplaceLog InplaceSigmoid InplaceSign InplaceTanh InplaceZero",
    "",
    "x",
    same,
  ],
  ["InplaceFillScalar", "", "x [value]", same],
  ["InplaceFillTensor", "", "x value", same],
  ["InplaceClampScalar", "", "x [min] [max]", same],
  ["InplaceClampTensor", "", "x min max", same],
  ["InplaceDivMods", "", "x [other] [rounding_mode]", same],
  ["InplaceDivMod", "", "x y [rounding_mode]", same],
  ["InplaceMaskedFillScalar", "", "x mask [value]", same],
  ["InplaceMaskedFillTensor", "", "x mask value", same],
  ["InplaceMaskedScatter", "", "x mask source", same],
  ["InplaceScatterSrc InplaceScatterAdd", "", "x [dim] index src", same],
  ["InplaceIndexPut", "", "x [indices] values [accumulate]", same],
  // Loads a tensor from memory after an operator has written into it.
  ["Load", "", "x written", same],
  ["RemainderScalarTensor", "", "[x] y", same, { takesLayouts: true }],
  ["IsClose", "rtol atol equal_nan", "x y", stretched, { dtype: "bool", takesLayouts: true }],
  ["Betainc", "", "a b x", stretched],
  ["AddcmulExt", "", "x a b [value]", stretched, { takesLayouts: true }],
  ["L2Loss", "", "x", summedUp(1)],
  ["SquareSumAll", "", "x y", summedUp(2)],
  ["ClampScalar", "", "x [min] [max]", same, { takesLayouts: true }],
  ["PReLU", "", "x weight", prelu],
  ["BiasAdd", "data_format", "x bias", biasOfChannels, { takesLayouts: true }],
  [
    "Atan2 DivNoNan FloorDiv FloorMod Mod MulNoNan SquaredDifference TruncateDiv TruncateMod Xdivy Xlogy Hypot FmodTensor RemainderTensorTensor InplaceCopy Igamma Igammac NextAfter Zeta Polar Gcd InplaceAddExt InplaceSubExt InplaceMul InplaceDiv",
    "",
    "x y",
    stretched,
    { takesLayouts: true },
  ],
  [
    "BitwiseAnd BitwiseOr BitwiseXor LogicalXor Heaviside BitwiseAndTensor BitwiseOrTensor BitwiseXorTensor LeftShift RightShift InplaceFloorDivide",
    "",
    "x y",
    stretched,
    { takesLayouts: true },
  ],
  ["AddExt SubExt", "", "x y [alpha]", stretched, { takesLayouts: true }],
  [
    "Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr",
    "",
    "x y",
    stretched,
    { dtype: "bool" },
  ],
  ["GreaterEqualScalar", "", "x [other]", same, { dtype: "bool" }],
  ["ApproximateEqual", "tolerance", "x y", stretched, { dtype: "bool" }],
  ["DivMod", "", "x y [rounding_mode]", stretched, { takesLayouts: true }],
  ["Assign AssignAdd AssignSub", "", "variable value", stretched],
  ["Lerp", "", "start end weight", stretched],
  ["LerpScalar", "", "start end [weight]", stretched],
  ["Addcdiv Addcmul", "", "x a b value", stretched],
  [
    "Select",
    "",
    "condition x y",
    (call) => ({ outputs: [broadcast(call)], isInResultOrder: true }),
  ],
  ["MaskedFill", "", "x mask value", stretched],
  ["AddN AccumulateNV2", "", "x", alike, { isVariadic: true }],
  ["InplaceAdd InplaceSub InplaceUpdate", "indices", "x v", inplace],
  ["DropoutDoMask", "", "x [mask] [keep_prob]", same],
  ["SigmoidCrossEntropyWithLogits", "", "logits label", alike],
  ["SoftmaxCrossEntropyWithLogits", "", "logits labels", lossOfRows],
  ["BCEWithLogitsLoss", "reduction", "logits label weight pos_weight", unreduced],
  ["BinaryCrossEntropy KLDivLoss", "reduction", "logits labels weight", unreduced],
  ["SmoothL1Loss", "beta reduction", "prediction target", unreduced],
  ["Quant", "scale offset sqrt_mode round_mode dtype", "x", same, { takesLayouts: true }],
  [
    "DropoutExt",
    "",
    "x [p] seed offset",
    (call) => ({ outputs: [likeInput(call), likeInput(call)] }),
  ],
  ["Tril Triu", "diagonal", "x", same, { takesLayouts: true }],
  ["TrilExt", "diagonal", "x", same],
];

/** The primitives whose operands are broadcast to one shape. */
export const stretchedNames: ReadonlySet<string> = new Set([
  ...elementWiseRows.flatMap(([names, , , links]) => (links === stretched ? names.split(" ") : [])),
  ...["Add", "Sub", "Mul", "Div", "RealDiv", "Pow", "Maximum", "Minimum"],
]);

/** Links of scalar results, each the sum over all of an input; all inputs are cut alike. */
function summedUp(results: number): (call: LinkCall) => Links {
  return (call) => ({
    outputs: Array.from({ length: results }, () => []),
    inner: (alike(call).outputs[0] ?? []).map(({ refs }) => summed(...refs)),
    sums: results,
  });
}

/** Links of a loss per row and the gradient of the logits; the classes stay whole. */
function lossOfRows(call: LinkCall): Links | string {
  const [rows, classes, more] = keptAll(call);
  if (rows === undefined || classes === undefined || more !== undefined)
    return `${call.op} takes logits of two dims: rows and classes`;
  return { outputs: [[rows], [rows, own(classes.size)]] };
}

function keptAll(call: LinkCall): readonly LinkedDim[] {
  return (call.shapes[0] ?? []).map((_, dim) => keptInAll(call, dim));
}

/** Losses whose operands MindSpore does not broadcast. */
const lossesOfOneShape: ReadonlySet<string> = new Set(["BinaryCrossEntropy", "KLDivLoss"]);

/** Links of a loss per element, or of a scalar that is their sum or mean. */
function unreduced(call: LinkCall): Links | string {
  const [values = [], targets = values] = call.shapes;
  if (!sameItems(values, targets) && lossesOfOneShape.has(call.op))
    return `the operands of ${call.op} must have one shape, but they have (${values.join(", ")}) and (${targets.join(", ")})`;
  const dims = alike(call).outputs[0] ?? [];
  const { reduction = call.op === "SmoothL1Loss" ? "none" : "mean" } = call.attributes;
  if (reduction === "none") return { outputs: [dims] };
  return { outputs: [[]], inner: dims.map(({ refs }) => summed(...refs)) };
}

/** Links of in-place updates of rows picked by index, so dim 0 stays whole. */
function inplace(call: LinkCall): Links | string {
  const [x = [], changes = []] = call.shapes;
  const { indices } = call.attributes;
  const count = Array.isArray(indices) ? indices.length : 1;
  if (changes.length > 0 && changes[0] !== count)
    return `${call.op} has ${count} indices for ${changes[0]} rows`;
  const dims = x.map((size, dim) =>
    dim === 0 ? { size, refs: [] } : kept(call, [0, dim], [1, dim]),
  );
  return { outputs: [dims] };
}
