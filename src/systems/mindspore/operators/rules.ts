import { type Diagnostic, passed } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { specOf, withoutOwnRule } from "../primitives/index.ts";
import { attentionRule, fusedAttentionRule } from "./attention.ts";
import {
  dimOf,
  isNone,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  refused,
} from "./call.ts";
import { customRule } from "./custom.ts";
import { biasRule, binaryRule, dropoutRule, scalarRule } from "./element-wise.ts";
import { embeddingRule } from "./embedding.ts";
import { makerRule, rowRule } from "./fill.ts";
import { anyStrategy } from "./first-input.ts";
import { gatherRule, lookupRule } from "./gather.ts";
import { groupedMatmulRule } from "./grouped-matmul.ts";
import { indexRule } from "./indices.ts";
import { linkedRule, topPRouterRule } from "./linked.ts";
import { matmulRule } from "./matmul.ts";
import { layerNormRule, rmsNormRule, softmaxRule } from "./normalisation.ts";
import { oneHotRule } from "./one-hot.ts";
import { extendedReductionRule, reductionRule } from "./reduction.ts";
import { scatterRule } from "./scatter.ts";
import { maskedFillRule, selectRule } from "./select.ts";
import { concatRule, splitRule, transposeRule } from "./shape-changes.ts";
import { tileRule } from "./tile.ts";
import { convolutionRule, withFaults } from "./windows.ts";

/** Operators on which MindSpore 2.10 fails with any strategy. */
const refusedRule: OperatorRule = {
  tuples: ({ op }) => refused(`MindSpore 2.10 cannot split ${op}`),
  noDefault: "MindSpore 2.10 cannot split it",
};

/** A rule without Layouts, for operators of a family for which MindSpore refuses them. */
function tuplesOnly({ layouts: _, ...rule }: OperatorRule): OperatorRule {
  return rule;
}

const families: readonly (readonly [names: string, rule: OperatorRule])[] = [
  ["MatMul BatchMatMul MatMulExt", matmulRule],
  ["BiasAdd", biasRule],
  ["Add Sub Mul Div Maximum", scalarRule],
  [
    "AddExt SubExt RemainderTensorTensor RealDiv FloorDiv FloorMod Mod Pow Minimum SquaredDifference Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd ApproximateEqual Atan2 DivNoNan MulNoNan TruncateDiv TruncateMod Xdivy Xlogy",
    scalarRule,
  ],
  ["LogicalOr Assign AssignAdd AssignSub BitwiseAnd BitwiseOr BitwiseXor", binaryRule],
  ["Muls RemainderTensorScalar", scalarRule],
  ["Divs EqScalar LessScalar", tuplesOnly(scalarRule)],
  ["ReLU GeLU Sigmoid Tanh Exp Reshard", anyStrategy],
  [
    "Abs Ceil Cos Elu Erf Floor Log Log1p LogicalNot Neg Reciprocal ReLU6 Round Rsqrt Sign Sin SiLU Softplus Softsign Sqrt Square ZerosLike",
    anyStrategy,
  ],
  ["Cast", tuplesOnly(anyStrategy)],
  ["Softmax LogSoftmax", softmaxRule],
  ["LayerNorm", layerNormRule],
  ["RmsNorm", rmsNormRule],
  ["Dropout", dropoutRule],
  ["Transpose", transposeRule],
  ["Split", splitRule],
  ["Tile", tileRule],
  ["Concat", concatRule],
  ["Gather SparseGatherV2 IndexSelect", gatherRule],
  ["EmbeddingLookup", lookupRule],
  ["ReduceSum ReduceMax ReduceMin ReduceMean ReduceAny ReduceAll ReduceProd", reductionRule],
  ["MeanExt SumExt", extendedReductionRule],
  ["TensorScatterUpdate", scatterRule],
  ["OneHot OneHotExt", oneHotRule],
  ["TopPRouter", topPRouterRule],
  ["FillV2 UniformReal StandardNormal Gamma DropoutGenMask", makerRule],
  ["StandardLaplace AccumulateNV2", refusedRule],
  ["LinSpace LinSpaceExt Arange Eye FillScalar", rowRule],
  ["Embedding", embeddingRule],
  ["Convolution", convolutionRule],
  ["Custom", customRule],
  ["Select", selectRule],
  ["MaskedFillScalar", maskedFillRule],
  ["GroupedMatmul", groupedMatmulRule],
  ["Index", indexRule],
  [
    "FlashAttentionScore PromptFlashAttention IncreFlashAttention PagedAttention PagedAttentionMask",
    attentionRule,
  ],
  ["FusedInferAttentionScore", fusedAttentionRule],
];

const ruleOfName: ReadonlyMap<string, OperatorRule> = new Map(
  families
    .toReversed()
    .flatMap(([names, rule]) => names.split(" ").map((name) => [name, rule] as const)),
);

/** Whether the rule of an operator is known, by MindSpore's name of the operator. */
export function hasRule(op: string): boolean {
  return op === "Reshape" || ruleOf(op) !== undefined;
}

/**
 * The rule of an operator by MindSpore's name; `undefined` if unknown, and for Reshape, which is
 * modelled separately.
 */
export function ruleOf(op: string): OperatorRule | undefined {
  const found = ruleOfName.get(op) ?? linked.get(op);
  const spec = found === undefined ? specOf(op) : undefined;
  if (spec === undefined) return found;
  const isOwn = !withoutOwnRule.has(op);
  const splitsFirst = spec.splitsFirst === true || (!isOwn && spec.tensors.length > 1);
  const takesLayouts = isOwn && spec.takesLayouts === true;
  const known = withFaults(linkedRule({ ...spec, splitsFirst, takesLayouts }));
  const made = (fieldOf(layoutsOf, op) ?? ((each) => each))(known);
  const fault = fieldOf(faultsOf, op);
  const rule = fault === undefined ? made : refusing(made, fault);
  linked.set(op, rule);
  return rule;
}

type FaultOf = (call: OperatorCall) => string | undefined;

/** A rule that also refuses calls with a fault, with or without a strategy. */
function refusing(rule: OperatorRule, faultOf: FaultOf): OperatorRule {
  const { tuples } = rule;
  return {
    ...rule,
    ...(tuples && {
      tuples: (call) => {
        const fault = faultOf(call);
        return fault === undefined ? tuples(call) : refused(fault);
      },
    }),
    defaultStrategies: (call) =>
      faultOf(call) === undefined
        ? rule.defaultStrategies?.(call)
        : call.shapes.map((shape) => shape.map(() => 1)),
  };
}

/**
 * A rule whose Layouts must cut every dim: for an uncut dim 2.10 looks up an axis that does not
 * exist.
 */
function ofCutDims({ layouts, ...rule }: OperatorRule): OperatorRule {
  if (layouts === undefined) return rule;
  return {
    ...rule,
    layouts: (call) =>
      call.maps.flat().some(isNone)
        ? refused(`MindSpore 2.10 takes a Layout of ${call.op} only where it cuts every dim`)
        : layouts(call),
  };
}

/**
 * A rule whose Layouts must lay the dim in an argument on an axis of one device: 2.10 looks up the
 * axis of a dim that has none, which does not exist, and refuses what it finds there.
 */
function ofNamedDim({ layouts, ...rule }: OperatorRule, name: string, last: number): OperatorRule {
  if (layouts === undefined) return rule;
  return {
    ...rule,
    layouts: (call) => {
      const { attributes, shapes, maps } = call;
      const dim = dimOf(attributes[name] ?? last, shapes[0]?.length ?? 0);
      return isNone(maps[0]?.[dim ?? 0])
        ? refused(
            `MindSpore 2.10 takes a Layout of ${call.op} only with an axis of size 1 on dim ${dim}`,
          )
        : layouts(call);
    },
  };
}

/** A rule whose Layouts may name no axis, not even one of one device, on the last two dims. */
function ofMatrices({ layouts, ...rule }: OperatorRule): OperatorRule {
  if (layouts === undefined) return rule;
  return {
    ...rule,
    layouts: (call) =>
      call.maps.every((map) => map.slice(-2).every(isNone))
        ? layouts(call)
        : refused(`${call.op} cannot be split on its last two dims`),
  };
}

/** A rule whose Layouts 2.10 does not check: each device sums or multiplies its own piece alone. */
function cumulative(rule: OperatorRule): OperatorRule {
  const layouts = (call: LayoutCall) => {
    const { attributes, shapes, maps } = call;
    const dim = dimOf(attributes.axis ?? attributes.dim ?? 0, shapes[0]?.length ?? 0) ?? 0;
    const inferred = anyStrategy.layouts(call);
    const isCut = !isNone(maps[0]?.[dim]);
    return inferred.ok && isCut ? passed(inferred.value, [alone]) : inferred;
  };
  return { ...rule, layouts };
}

const alone: Diagnostic = {
  code: "mindspore/wrong-values",
  severity: "warning",
  message:
    "MindSpore 2.10 takes a Layout that cuts the dim along which this goes: every device then begins anew in its own piece, and its values are wrong",
};

/** What 2.10 asks of Layouts beyond the links of the dims, by operator. */
const layoutsOf: Readonly<Record<string, (rule: OperatorRule) => OperatorRule>> = {
  Cholesky: ofMatrices,
  CumProd: cumulative,
  CumSum: cumulative,
  CumsumExt: cumulative,
  Max: ofCutDims,
  MaxDim: (rule) => ofNamedDim(rule, "dim", -1),
  SortExt: (rule) => ofNamedDim(rule, "dim", -1),
};

const unequalLosses: FaultOf = ({ op, attributes }) =>
  attributes.reduction === "none"
    ? `MindSpore 2.10 splits the first operand of ${op} alone, so that without a reduction the two are no longer of one shape`
    : undefined;

/** Faults of calls on which MindSpore 2.10 fails whatever their strategies are. */
const faultsOf: Readonly<Record<string, FaultOf>> = {
  BatchNorm: ({ shapes: [x = []] }) =>
    x.length === 2 || x.length === 4
      ? undefined
      : `the input of BatchNorm must have 2 or 4 dims in MindSpore 2.10, but it has ${x.length}`,
  MSELossExt: unequalLosses,
  L1LossExt: unequalLosses,
};

/** Cache of rules made from links between dims. */
const linked = new Map<string, OperatorRule>();
