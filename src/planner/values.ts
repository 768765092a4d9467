import { bytesOf, type Operator, type Tensor, type TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { append } from "#core/records";
import { type AxisRoutes, type AxisState, stateOf } from "#core/reshard";
import type { Pricing } from "./pricing.ts";
import type { PlanRequest } from "./problem.ts";
import { wholeRest } from "./rest-layouts.ts";

/**
 * A tensor is placed in a layout that searches do not consider: by sub-axes or with given sizes.
 */
export class PlacedInParts extends Error {
  constructor({ name }: Tensor) {
    super(
      `"${name}" is placed over a part of an axis or in pieces of given sizes: plans are searched over whole axes`,
    );
  }
}

/** The origin of a value: an operator's result, a layout at rest to choose, or a given layout. */
export type Source =
  | { readonly kind: "operator"; readonly operator: number; readonly output: number }
  | { readonly kind: "rest"; readonly states: readonly number[] }
  | { readonly kind: "given"; readonly state: number };

/** Operand through which an operator reads a value. */
export interface Reader {
  readonly operator: number;
  readonly position: number;
  /** Whether the operator passes a gradient back, since its own result has one. */
  readonly makesGradient: boolean;
  /** The kind of reader of a recomputed value: a backward pass, or another recomputed operator. */
  readonly pass?: "backward" | "recompute";
  /** Whether the operator runs once more before the backward pass, and so reads once more. */
  readonly isRunAgain?: boolean;
}

/**
 * The overlap of a weight's redistributions with compute: only the uncovered part takes time
 * (cost.md §5).
 */
export interface Hiding {
  /** Factor on its readers' own work that covers the redistributions; infinite if unknown. */
  readonly times: number;
  /** The number of weights whose redistributions are launched together. */
  readonly bucket: number;
}

/** Tensor in the layout of its origin, with all readers that use it from there. */
export interface PlannedValue {
  readonly tensor: Tensor;
  readonly routes: AxisRoutes;
  readonly source: Source;
  readonly readers: readonly Reader[];
  /** The layout in which the text places a result; it counts as one more reader. */
  readonly placed?: number;
  /** Whether the backward pass makes its gradient. */
  readonly hasGradient: boolean;
  /** Whether it is a result of the program; `ends` are the layouts in which it may end. */
  readonly isResult: boolean;
  readonly ends: readonly number[];
  /** Whether the final layout is the layout in which the value is made, without partials. */
  readonly endsInSum?: boolean;
  /** Number of microbatches whose rows it has; 1 by default. */
  readonly parts?: number;
  /** The overlap of a weight's redistributions with compute; absent without overlap. */
  readonly hiding?: Hiding;
  /**
   * Whether the backward pass gathers it again, if it is stored in smaller pieces than readers
   * need.
   */
  readonly isGatheredAgain?: boolean;
  /** Whether it is freed after the forward pass, since the backward pass has a recomputed value. */
  readonly isForgotten?: boolean;
}

/** The routes between layouts of tensors: the same for tensors of one shape and element size. */
export class RouteTables {
  private readonly pricing: Pricing;
  private readonly known = new Map<string, AxisRoutes>();
  private readonly resting = new Map<AxisRoutes, readonly number[]>();

  constructor(pricing: Pricing) {
    this.pricing = pricing;
  }

  of({ shape, dtype }: Tensor): AxisRoutes {
    const bytesPerElement = bytesOf(dtype);
    const key = `${shape.join(",")}:${bytesPerElement}`;
    const known = this.known.get(key) ?? this.pricing.routes(shape, bytesPerElement);
    this.known.set(key, known);
    return known;
  }

  /** Possible layouts at rest of tensors with these routes. */
  rest(routes: AxisRoutes, rank: number): readonly number[] {
    const known = this.resting.get(routes) ?? restStates(routes, rank);
    this.resting.set(routes, known);
    return known;
  }
}

/** Every value of a program, in the order of its tensors; a placed result is two values. */
export function valuesOf(
  request: PlanRequest,
  tables: RouteTables,
  needs: ReadonlySet<TensorId>,
): readonly PlannedValue[] {
  const { graph, ends } = request;
  const readers = readersOf(graph.operators, needs);
  const results = new Set(graph.outputs);
  const makers = makersOf(graph.operators);
  const gathersAgain = request.model === undefined && request.training?.precision === "megatron";
  return graph.tensors.flatMap((tensor): readonly PlannedValue[] => {
    const { id } = tensor;
    const made = makers.get(id);
    const reads = readers.get(id) ?? [];
    const routes = tables.of(tensor);
    const at = (layout: Layout | undefined) => layout && routes.id(sureState(layout, tensor));
    const [placed, end] = [at(request.placements.get(id)), at(ends.get(id))];
    // A value whose producer passes no gradient on has none itself.
    const maker = made === undefined ? undefined : graph.operators[made.operator];
    const isPassed = maker?.inputs.some((operand) => needs.has(operand.tensor)) ?? true;
    const isGathered = gathersAgain && tensor.role === "activation";
    const about = {
      ...{ tensor, routes, hasGradient: needs.has(id) && isPassed },
      ...(isGathered && { isGatheredAgain: true }),
    };
    const isResult = results.has(id) && made !== undefined;
    const all = () => (end === undefined ? tables.rest(routes, tensor.shape.length) : [end]);
    const last = {
      ...about,
      readers: reads,
      isResult,
      ends: isResult ? all() : [],
      ...(request.endsInSums === true && { endsInSum: true }),
    };
    if (made === undefined) {
      const states = placed === undefined ? tables.rest(routes, tensor.shape.length) : [placed];
      // Models of single-axis steps know only one batch, which is whole in the graph.
      const microbatches = request.model === undefined ? request.microbatches : undefined;
      const parts = microbatches?.dims.has(id) === true ? { parts: microbatches.count } : {};
      return [{ ...last, ...parts, source: { kind: "rest", states } }];
    }
    const source: Source = { kind: "operator", ...made };
    if (placed === undefined) return [{ ...last, source }];
    return [
      { ...about, source, readers: [], placed, isResult: false, ends: [] },
      { ...last, source: { kind: "given", state: placed } },
    ];
  });
}

function restStates(routes: AxisRoutes, rank: number): readonly number[] {
  const { axes } = routes.options;
  return wholeRest(
    rank,
    axes.map(({ size }) => size),
  )
    .filter((state) => routes.isLegal(state))
    .map((state) => routes.id(state));
}

function sureState(layout: Layout, tensor: Tensor): AxisState {
  const state = stateOf(layout);
  if (state === undefined) throw new PlacedInParts(tensor);
  return state;
}

function readersOf(
  operators: readonly Operator[],
  needs: ReadonlySet<TensorId>,
): ReadonlyMap<TensorId, readonly Reader[]> {
  const readers = new Map<TensorId, Reader[]>();
  for (const [operator, { inputs, outputs }] of operators.entries()) {
    const makesGradient = outputs.some(({ tensor }) => needs.has(tensor));
    for (const [position, { tensor }] of inputs.entries()) {
      const reader = { operator, position, makesGradient };
      append(readers, tensor, reader);
    }
  }
  return readers;
}

function makersOf(
  operators: readonly Operator[],
): ReadonlyMap<TensorId, { readonly operator: number; readonly output: number }> {
  return new Map(
    operators.flatMap(({ outputs }, operator) =>
      outputs.map(({ tensor }, output) => [tensor, { operator, output }] as const),
    ),
  );
}
