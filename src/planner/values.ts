import { bytesOf, type Operator, type Tensor, type TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { AxisRoutes, type AxisState, type PriceMove, stateOf } from "#core/reshard";
import { gradientNeeds } from "./gradient-needs.ts";
import type { PlanRequest } from "./problem.ts";
import { wholeRest } from "./rest-layouts.ts";

/** Where a value comes from: an operator's result, a layout at rest that is chosen, or one that is given. */
export type Source =
  | { readonly kind: "operator"; readonly operator: number; readonly output: number }
  | { readonly kind: "rest"; readonly states: readonly number[] }
  | { readonly kind: "given"; readonly state: number };

/** An operand by which an operator reads a value. */
export interface Reader {
  readonly operator: number;
  readonly position: number;
  /** Whether the operator passes a gradient back: its own result has one. */
  readonly makesGradient: boolean;
}

/** A tensor as it lies somewhere, with everybody who reads it from there. */
export interface PlannedValue {
  readonly tensor: Tensor;
  readonly routes: AxisRoutes;
  readonly source: Source;
  readonly readers: readonly Reader[];
  /** Where the text places a result: one more reader, which wants exactly that. */
  readonly placed?: number;
  /** Whether the backward pass makes its gradient. */
  readonly hasGradient: boolean;
  /** Whether it is a result of the program, and how that has to end. */
  readonly isResult: boolean;
  readonly end?: number;
}

/** The routes between layouts of tensors: alike for tensors of one shape and element size. */
export class RouteTables {
  private readonly request: PlanRequest;
  private readonly known = new Map<string, AxisRoutes>();

  constructor(request: PlanRequest) {
    this.request = request;
  }

  of({ shape, dtype }: Tensor): AxisRoutes {
    const bytesPerElement = bytesOf(dtype);
    const key = `${shape.join(",")}:${bytesPerElement}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const { model, mesh, forbid = [], uneven = false } = this.request;
    const price: PriceMove = (move) =>
      forbid.some((each) => each === move.collective)
        ? Number.POSITIVE_INFINITY
        : model.priceMove(move);
    const axes = mesh.axes.map(({ size, link = { latency: 0, bandwidth: Infinity } }) => ({
      size,
      link,
    }));
    const routes = new AxisRoutes({
      axes,
      shape,
      bytesPerElement,
      price,
      uneven,
      fuses: model.fuses ?? false,
      meanPieces: model.meanPieces ?? false,
    });
    this.known.set(key, routes);
    return routes;
  }
}

/** Every value of a program, in the order of its tensors; a placed result is two. */
export function valuesOf(request: PlanRequest, tables: RouteTables): readonly PlannedValue[] {
  const { graph, ends } = request;
  const needs = gradientNeeds(request);
  const readers = readersOf(graph.operators, needs);
  const results = new Set(graph.outputs);
  const makers = makersOf(graph.operators);
  return graph.tensors.flatMap((tensor): readonly PlannedValue[] => {
    const { id } = tensor;
    const made = makers.get(id);
    const reads = readers.get(id) ?? [];
    const routes = tables.of(tensor);
    const at = (layout: Layout | undefined) => layout && routes.id(sureState(layout, tensor));
    const [placed, end] = [at(request.placements.get(id)), at(ends.get(id))];
    const about = { tensor, routes, hasGradient: needs.has(id) };
    const last = {
      ...about,
      readers: reads,
      isResult: results.has(id) && made !== undefined,
      ...(end !== undefined && { end }),
    };
    if (made === undefined) {
      const states = placed === undefined ? restStates(routes, tensor) : [placed];
      return [{ ...last, source: { kind: "rest", states } }];
    }
    const source: Source = { kind: "operator", ...made };
    if (placed === undefined) return [{ ...last, source }];
    return [
      { ...about, source, readers: [], placed, isResult: false },
      { ...last, source: { kind: "given", state: placed } },
    ];
  });
}

function restStates(routes: AxisRoutes, { shape }: Tensor): readonly number[] {
  const { axes } = routes.options;
  return wholeRest(
    shape.length,
    axes.map(({ size }) => size),
  )
    .filter((state) => routes.isLegal(state))
    .map((state) => routes.id(state));
}

function sureState(layout: Layout, { name }: Tensor): AxisState {
  const state = stateOf(layout);
  if (state === undefined) throw new RangeError(`"${name}" lies in sub-axes or pieces`);
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
      const list = readers.get(tensor);
      if (list === undefined) readers.set(tensor, [reader]);
      else list.push(reader);
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
