import {
  shapeOf,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "#language/document/trace";
import type { OperatorCall } from "../operators/call.ts";
import { defaultStrategy } from "../operators/default-strategy.ts";
import {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "../operators/model-operator.ts";
import { exchangesBorders } from "../operators/windows.ts";
import { modelCall, searchedTuples, writtenStrategy } from "../plans/model-call.ts";
import { withoutOwnRule } from "../primitives/index.ts";
import { keptWhole } from "./kept-whole.ts";
import { primitiveName } from "./primitive-name.ts";
import { splitRegardlessOf } from "./split-regardless.ts";
import { isTransparent } from "./transparent.ts";

/** An operator of a program with MindSpore's strategy and model. */
export interface PlacedOperator {
  readonly traced: TracedOperator;
  /** Name of MindSpore's primitive. */
  readonly op: string;
  /** Strategy per input, set or default; absent if neither is known. */
  readonly strategies?: readonly (readonly number[])[];
  /** Absent if MindSpore's rule is not known, or refuses the strategy. */
  readonly model?: OperatorModel;
  /** Every device exchanges the borders of its block with its neighbours. */
  readonly exchanges?: true;
}

/** The dims of a tensor whose lengths are known only at run time. */
export type OpenDims = (tensor: TracedTensor) => ReadonlySet<number>;

/** The strategies that a search mode chooses for operators without one. */
export type ChosenStrategies = ReadonlyMap<TracedOperator, WrittenStrategy>;

/** The operators of a program in its order, each with its strategy and MindSpore's model. */
export function placedOperators(
  trace: Pick<Trace, "operators"> & Partial<Pick<Trace, "bySystem">>,
  devices: number,
  rank: number,
  openDims: OpenDims = () => new Set(),
  chosen: ChosenStrategies = new Map(),
): readonly PlacedOperator[] {
  const kept = keptWhole(trace, devices);
  const place = (traced: TracedOperator): PlacedOperator => {
    const op = primitiveName(traced);
    if (isTransparent(traced)) return { traced, op, ...ownStrategies(traced) };
    const found = modelCall({ ...traced, op }, devices);
    const open = traced.inputs.map((input) =>
      input.kind === "tensor" ? openDims(input) : new Set<number>(),
    );
    const call = found && { ...found, rank, openDims: open };
    const picked = traced.strategy === undefined ? chosen.get(traced) : undefined;
    const written = picked ?? writtenStrategy(traced.strategy);
    // An operator without a rule of its own is split only if its number of rows is known to be
    // divisible.
    const isWhole = withoutOwnRule.has(op) && open[0]?.has(0) === true;
    const byDefault = () => (isWhole ? wholeOf(call) : call && defaultStrategy(call));
    const strategies = strategiesOf(written, byDefault);
    const asked = written?.kind === "tuples" ? { ...written, ...withInputs(strategies) } : written;
    const regardless =
      traced.strategy === undefined && !chosen.has(traced) && call !== undefined && !isWhole
        ? splitRegardlessOf(call, strategies, traced.outputs.map(shapeOf))
        : undefined;
    if (regardless !== undefined) return { traced, op, ...regardless };
    const model = call && asked && modelOperator(call, asked);
    const shown = picked && strategies ? searchedTuples(op, strategies) : strategies;
    return {
      traced,
      op,
      ...(shown !== undefined && { strategies: ignoredIn(traced, shown) }),
      ...(model?.ok === true && { model: model.value }),
      ...(call && strategies && exchangesBorders(call, strategies) && { exchanges: true as const }),
    };
  };
  return trace.operators.map((traced) =>
    kept.has(traced) ? readingWhole(place(traced)) : place(traced),
  );
}

/**
 * An operator that reads whole operands, while its results are assumed to be laid out as if it were
 * split.
 */
function readingWhole(placed: PlacedOperator): PlacedOperator {
  const { traced, model } = placed;
  const shapes = traced.inputs.flatMap((each) => (each.kind === "tensor" ? [shapeOf(each)] : []));
  const strategies = shapes.map((shape) => shape.map(() => 1));
  const inputMaps = shapes.map((shape) => shape.map(() => -1));
  const whole = model && { ...model, inputMaps, inputSlices: shapes };
  return { ...placed, strategies, ...(whole && { model: whole }) };
}

/**
 * The strategy shown in MindSpore's graph: the written one if it is ignored because nothing is
 * split, else the effective one.
 */
function ignoredIn(
  { primitive }: TracedOperator,
  strategies: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  return strategies.flat().every((pieces) => pieces === 1)
    ? (primitive?.ignored ?? strategies)
    : strategies;
}

function wholeOf(call: OperatorCall | undefined): readonly (readonly number[])[] | undefined {
  return call?.shapes.map((shape) => shape.map(() => 1));
}

/**
 * The strategy of an operator that keeps its input's layout: it appears in the graph without
 * effect.
 */
function ownStrategies({ strategy }: TracedOperator): Pick<PlacedOperator, "strategies"> {
  const strategies = strategiesOf(writtenStrategy(strategy), () => undefined);
  return strategies === undefined ? {} : { strategies };
}

function withInputs(
  inputs: readonly (readonly number[])[] | undefined,
): Pick<Extract<WrittenStrategy, { kind: "tuples" }>, "inputs"> {
  return inputs === undefined ? {} : { inputs };
}

function strategiesOf(
  written: WrittenStrategy | undefined,
  byDefault: () => readonly (readonly number[])[] | undefined,
): readonly (readonly number[])[] | undefined {
  if (written?.kind === "layouts") return layoutTuples(written);
  return written?.inputs ?? byDefault();
}

/** Number of pieces per dim of each input, from Layouts. */
function layoutTuples({
  deviceMatrix,
  inputs,
}: Extract<WrittenStrategy, { kind: "layouts" }>): readonly (readonly number[])[] {
  const sizeOf = (value: number) =>
    value < 0 ? 1 : (deviceMatrix[deviceMatrix.length - 1 - value] ?? 1);
  return inputs.map((map) =>
    map.map((entry) => [entry].flat().reduce((product, value) => product * sizeOf(value), 1)),
  );
}
