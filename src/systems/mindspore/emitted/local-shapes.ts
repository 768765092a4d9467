import type { Trace, TracedOperator, TracedTensor } from "#language/document/trace";
import { modelCall } from "../plans/model-call.ts";
import { firstBeyondLayouts, specOf, withoutOwnRule } from "../primitives/index.ts";
import { redistributionFault } from "../redistribution/check-tensor.ts";
import { stepsOfRank } from "../redistribution/emitted.ts";
import { isCounted } from "./folded-values.ts";
import { EmittedLayouts, type LayoutEdge } from "./layouts.ts";
import {
  type LocalResults,
  type LocalShape,
  localRedistributed,
  localResults,
  stretchesTo,
} from "./local-results.ts";
import { mergedOperators } from "./merged.ts";
import { type PlacedOperator, placedOperators } from "./placed-operators.ts";
import { primitiveName } from "./primitive-name.ts";

/** An operator whose operands do not fit together on a device. */
export interface Misfit {
  readonly traced: TracedOperator;
  readonly op: string;
  /** The primitive whose local results have an unexpected shape. */
  readonly cause: string;
  /** The name of an operand of its own that has no layout. */
  readonly unplaced?: string;
}

/** A local shape that differs from the slice that the layout implies. */
interface Stray {
  readonly shape: LocalShape;
  readonly cause: PlacedOperator;
}

/**
 * Operators that MindSpore 2.10 refuses although their strategies are valid. An operator without a
 * rule is split on dim 0 of its first input, whatever it computes, and its results are assumed to
 * be split on dim 0. If the real local shapes then do not fit other operands, the second shape
 * inference fails. Uncertain shapes are not followed further.
 */
export function misfits(trace: Trace, devices: number): readonly Misfit[] {
  if (!trace.operators.some((traced) => runsAsWritten(primitiveName(traced)))) return [];
  const { kept, same } = mergedOperators(placedOperators(trace, devices, 0));
  const layouts = new EmittedLayouts(kept, devices, same);
  const strays = new Map<TracedTensor, Stray>();
  const found: Misfit[] = [];
  for (const placed of kept) {
    const { traced, op, strategies } = placed;
    const pieces = strategies?.[0]?.[0] ?? 1;
    const unplaced = pieces > 1 ? unplacedOperand(placed) : unplacedIndex(placed);
    if (unplaced !== undefined || refusesRows(placed, pieces)) {
      found.push({ traced, op, cause: op, ...(unplaced !== undefined && { unplaced }) });
      continue;
    }
    const reached = followed(placed, layouts.edgesInto(placed.traced), strays, devices);
    if (reached === undefined) continue;
    if (reached.shapes === "misfit") found.push({ traced, op, cause: reached.cause.op });
    else noteStrays(placed, reached, strays);
  }
  return found;
}

/**
 * Name of a parameter or constant for which a split primitive without a rule has no layout. Tensors
 * computed in the program keep their producer's layout.
 */
function unplacedOperand({ traced, op }: PlacedOperator): string | undefined {
  const first = firstBeyondLayouts(op, traced.inputs.length);
  const at = traced.inputs.findIndex(
    (input, place) => place >= first && input.kind === "tensor" && isOfNet(input),
  );
  return at < 0 ? undefined : specOf(op)?.tensors[at];
}

/**
 * Name of an index operand without a valid layout: an unsplit IndexFill gives its indices the
 * layout of the fill value.
 */
function unplacedIndex({ traced, op }: PlacedOperator): string | undefined {
  const [, index] = traced.inputs.filter(({ kind }) => kind === "tensor");
  const isOther = op === "IndexFill" && index?.kind === "tensor" && index.shape?.join() !== "1";
  return isOther ? "index" : undefined;
}

/**
 * Whether a primitive without a rule fails on a part of its first input's rows while its other
 * inputs are whole: it normalises over all rows, or another input must have as many rows.
 */
function refusesRows({ traced, op }: PlacedOperator, pieces: number): boolean {
  if (pieces < 2) return false;
  const [x, , source] = traced.inputs.flatMap((each) => (each.kind === "tensor" ? each : []));
  const { dim, axis } = traced.primitive?.arguments ?? {};
  switch (op) {
    case "LayerNormExt":
      return true;
    case "IndexAdd":
      return axis !== 0;
    case "ScatterAddExt":
    case "InplaceScatterAdd":
      // MindSpore looks up the source's layout for the indices.
      return dim !== 0 && Number(source?.shape?.[0]) > Number(x?.shape?.[0]) / pieces;
    default:
      return false;
  }
}

/** Whether a tensor belongs to the net itself: a parameter or a constant of its graph. */
function isOfNet(tensor: TracedTensor): boolean {
  const { producer } = tensor;
  if (producer === undefined && tensor.fed !== undefined) return false;
  if (producer === undefined) return tensor.role === "parameter" || tensor.constant !== undefined;
  return isCounted(producer);
}

/**
 * Whether MindSpore leaves an operator's arguments as written instead of adapting them to local
 * shapes.
 */
function runsAsWritten(op: string): boolean {
  return withoutOwnRule.has(op) || op === "MaskedFillScalar";
}

interface Reached {
  readonly shapes: readonly LocalShape[] | "misfit";
  readonly cause: PlacedOperator;
}

/**
 * Local result shapes of an operator, if they may differ from those of its layout; else
 * `undefined`.
 */
function followed(
  placed: PlacedOperator,
  edges: readonly LayoutEdge[],
  strays: ReadonlyMap<TracedTensor, Stray>,
  devices: number,
): Reached | undefined {
  const { traced, op, model } = placed;
  const arriving = edges.flatMap((edge) => {
    const stray = strays.get(edge.tensor);
    return stray === undefined ? [] : [{ at: edge.at, stray, brought: brought(edge, stray.shape) }];
  });
  const isAsWritten = runsAsWritten(op);
  const cause = arriving[0]?.stray.cause ?? (isAsWritten ? placed : undefined);
  if (cause === undefined) return undefined;
  if (arriving.some((each) => each.brought === "misfit")) return { shapes: "misfit", cause };
  const call = op === "Reshape" ? undefined : modelCall({ ...traced, op }, devices);
  if (call === undefined || model === undefined) return undefined;
  const shapes = call.shapes.map((_, at): LocalShape | undefined => {
    const other = arriving.find((each) => each.at === at)?.brought;
    if (other === "misfit") return undefined;
    return (
      other?.shapes ?? (arriving.some((each) => each.at === at) ? undefined : model.inputSlices[at])
    );
  });
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length < shapes.length) return undefined;
  // MindSpore rewrites the lengths that are arguments of a slice or a broadcast.
  const [held = []] = known;
  const asked = model.outputs[0]?.slice ?? [];
  const isPart = op !== "Slice" || asked.every((size, dim) => size <= (held[dim] ?? size));
  if (!isPart || (op === "BroadcastTo" && !stretchesTo(held, asked)))
    return { shapes: "misfit", cause };
  const made = localResults({ ...call, shapes: known }, isAsWritten);
  return made === undefined ? undefined : { shapes: made === "misfit" ? made : made.shapes, cause };
}

function brought({ from, to }: LayoutEdge, shape: LocalShape): LocalResults<LocalShape> {
  if (from.interleaved !== undefined || to.interleaved !== undefined) return undefined;
  if (redistributionFault(from, to) !== undefined) return undefined;
  return localRedistributed(shape, stepsOfRank(from, to, 0, { allToAll: false, cleanUp: true }));
}

/** Records results whose local shape is not the expected one. */
function noteStrays(
  { traced, model }: PlacedOperator,
  { shapes, cause }: Reached,
  strays: Map<TracedTensor, Stray>,
): void {
  // Results of a reduce-scatter are skipped: other operators do not check their shape.
  const isSummed = model?.forward.every(({ primitive }) => primitive === "AllReduce") === true;
  if (!isSummed || shapes === "misfit") return;
  for (const [at, output] of traced.outputs.entries()) {
    const shape = shapes[at];
    const expected = model?.outputs[at]?.slice;
    if (shape !== undefined && shape.join() !== expected?.join())
      strays.set(output, { shape, cause });
  }
}
