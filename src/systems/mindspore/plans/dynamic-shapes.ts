import type { Diagnostic } from "#core/diagnostics";
import type { Operator, TensorId } from "#core/ir";
import type { BuiltGraph } from "#language/document/graph";
import type { TracedOperator } from "#language/document/trace";
import { batchParallel } from "../operators/default-strategy.ts";
import { ruleOf } from "../operators/rules.ts";
import { exchangesBorders } from "../operators/windows.ts";
import { dimsNamed } from "../primitives/arguments.ts";
import { modelCall, writtenStrategy } from "./model-call.ts";
import { refuse } from "./reduced-plan.ts";

/** An operator with dims whose lengths are known only at run time. */
interface DynamicCall {
  readonly call: NonNullable<ReturnType<typeof modelCall>>;
  /** Pieces per dim of each input, by its set or default strategy. */
  readonly cut: readonly (readonly number[])[];
  isDynamic(input: number, dim: number): boolean;
}

/**
 * Why MindSpore refuses an operator because of its run-time dims (`CheckStrategyForDynamicShape`).
 */
type Check = (call: DynamicCall) => string | undefined;

const firstRows: Check = ({ cut, isDynamic }) =>
  isDynamic(0, 0) && (cut[0]?.[0] ?? 1) > 1
    ? "dim 0 of its first input cannot be split when its length is known at run time only"
    : undefined;

const borders: Check = ({ call, cut }) =>
  exchangesBorders(call, cut)
    ? "it takes no lengths that are known at run time only where borders are sent to neighbours"
    : undefined;

const indexed: Check = ({ call, cut }) => {
  const depth = /^Scatter(Add|Sub|Mul|Div|Max|Min|Update)$/u.test(call.op)
    ? 1
    : (call.shapes[1]?.at(-1) ?? 1);
  return (cut[0] ?? []).slice(0, depth).some((pieces) => pieces > 1)
    ? "it takes no lengths that are known at run time only where dims that are looked up are split"
    : undefined;
};

const checks: readonly (readonly [operators: RegExp, check: Check])[] = [
  [/^(Conv[23]D|Conv2DTranspose|MaxPool|AvgPool|MaxPool3D|AvgPool3D)$/u, borders],
  [
    /^ResizeBilinear/u,
    ({ isDynamic }) =>
      isDynamic(0, 2) || isDynamic(0, 3)
        ? "it takes no height or width that is known at run time only"
        : undefined,
  ],
  [/^(CropAndResize|ROIAlign)$/u, firstRows],
  [
    /^Gather$/u,
    ({ call, cut, isDynamic }) => {
      const [axis = 0] = dimsNamed(call, "axis", call.shapes[0]?.length ?? 0, [0]) ?? [];
      return isDynamic(0, axis) && (cut[0]?.[axis] ?? 1) > 1
        ? `dim ${axis}, along which it gathers, cannot be split when its length is known at run time only`
        : undefined;
    },
  ],
  [
    /^GatherD$/u,
    ({ call, cut, isDynamic }) => {
      const [dim = 0] = dimsNamed(call, "axis", call.shapes[0]?.length ?? 0, [0]) ?? [];
      return isDynamic(0, dim) && (cut[0]?.[dim] ?? 1) > 1
        ? `dim ${dim}, which is looked up, cannot be split when its length is known at run time only`
        : undefined;
    },
  ],
  [/^(Tensor)?Scatter(Nd)?(Add|Sub|Mul|Div)$/u, indexed],
];

/**
 * Operators that MindSpore 2.10 refuses because some lengths are known only at run time: those
 * whose graph it would have to replace, and Layouts with several axes on a dim or a virtual axis.
 */
export function dynamicShapes(
  { operatorOf, tracedBy }: Pick<BuiltGraph, "operatorOf" | "tracedBy">,
  devices: number,
): readonly Diagnostic[] {
  const dims = dynamicDimsFed({ tracedBy });
  if (dims.size === 0) return [];
  return [...operatorOf].flatMap(([traced, operator]): readonly Diagnostic[] => {
    spread(operator, dims);
    if (!operator.inputs.some(({ tensor }) => (dims.get(tensor)?.size ?? 0) > 0)) return [];
    const isDynamic = (input: number, dim: number) =>
      dims.get(operator.inputs[input]?.tensor ?? ("" as TensorId))?.has(dim) === true;
    const why = layoutFault(traced) ?? checkedFault(traced, devices, isDynamic);
    const span = traced.strategy?.span ?? traced.span;
    return why === undefined ? [] : [refuse(span, `${traced.op} "${operator.name}": ${why}`)];
  });
}

function dynamicDimsFed({ tracedBy }: Pick<BuiltGraph, "tracedBy">) {
  const dims = new Map<TensorId, ReadonlySet<number>>();
  for (const [name, { dynamicDims }] of tracedBy) {
    if (dynamicDims !== undefined) dims.set(name as TensorId, new Set(dynamicDims));
  }
  return dims;
}

/** The dims of every tensor whose lengths are known only at run time. */
export function dynamicDims({
  operatorOf,
  tracedBy,
}: Pick<BuiltGraph, "operatorOf" | "tracedBy">): ReadonlyMap<TensorId, ReadonlySet<number>> {
  const dims = dynamicDimsFed({ tracedBy });
  if (dims.size === 0) return dims;
  for (const [traced, operator] of operatorOf) {
    spread(operator, dims);
    const open = openInText(traced);
    const [input] = operator.inputs;
    const [output] = operator.outputs;
    if (open === undefined || input === undefined || output === undefined) continue;
    if ((dims.get(input.tensor)?.size ?? 0) > 0) dims.set(output.tensor, new Set([open]));
  }
  return dims;
}

/** The dim -1 of a Reshape, which is known only at run time if another length is. */
function openInText({ op, primitive }: TracedOperator): number | undefined {
  const shape = op === "Reshape" ? primitive?.arguments.shape : undefined;
  const at = Array.isArray(shape) ? shape.indexOf(-1) : -1;
  return at < 0 ? undefined : at;
}

/** Marks dims of results as run-time that share an identifier with a run-time dim of an input. */
function spread({ inputs, outputs }: Operator, dims: Map<TensorId, ReadonlySet<number>>): void {
  const axes = new Set(
    inputs.flatMap(({ tensor, dims: own }) =>
      own.flatMap(({ identifiers }, dim) => (dims.get(tensor)?.has(dim) ? identifiers : [])),
    ),
  );
  for (const { tensor, dims: own } of outputs) {
    const found = own.flatMap(({ identifiers }, dim) =>
      identifiers.some((each) => axes.has(each)) ? [dim] : [],
    );
    if (found.length > 0) dims.set(tensor, new Set(found));
  }
}

function layoutFault({ strategy }: TracedOperator): string | undefined {
  if (strategy?.kind !== "layouts") return undefined;
  const { inputs } = strategy;
  if (inputs.some(({ spec }) => spec.isInterleaved))
    return "it takes no interleaved_parallel where lengths are known at run time only";
  const hasLists = inputs.some(({ dims }) =>
    dims.some(({ entry }) => Array.isArray(entry) && entry.length > 1),
  );
  return hasLists
    ? "it takes no dim over several axes of a Layout where lengths are known at run time only"
    : undefined;
}

function checkedFault(
  traced: TracedOperator,
  devices: number,
  isDynamic: DynamicCall["isDynamic"],
): string | undefined {
  const check = checks.find(([operators]) => operators.test(traced.op))?.[1];
  const call = check && modelCall(traced, devices);
  const rule = ruleOf(traced.op);
  if (check === undefined || call === undefined || rule === undefined) return undefined;
  const written = writtenStrategy(traced.strategy);
  const given = written?.kind === "tuples" ? written.inputs : undefined;
  return check({ call, cut: given ?? batchParallel(call, rule), isDynamic });
}
