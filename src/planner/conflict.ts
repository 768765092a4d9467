import type { PlanRequest } from "./problem.ts";

/** A demand of a request: a pin, a placement, a final layout or a forbidden collective. */
export interface Demand {
  readonly kind: "pin" | "place" | "end" | "forbid";
  /** Name of the operator, the tensor or the collective. */
  readonly name: string;
}

/** Demands that no plan meets together. */
export interface Conflict {
  readonly demands: readonly Demand[];
  /** Whether the demands that remain after dropping any one of them can be met by a plan. */
  readonly isMinimal: boolean;
}

/** Whether no plan meets a request. */
export type IsImpossible = (request: PlanRequest) => boolean;

/** Limit on the requests that are tried. */
const askLimit = 64;

/**
 * The demands of a request that no plan meets together, by a deletion filter: demands are left out
 * as long as there is still no plan, halves first, then one by one (planner.md §4.9). If none
 * remain, the program itself has no plan.
 */
export function conflictOf(request: PlanRequest, isImpossible: IsImpossible): Conflict {
  let left = askLimit;
  let kept = demandsOf(request);
  for (let size = Math.ceil(kept.length / 2); size > 0; size = halfOf(size)) {
    for (const part of chunksOf(kept, size)) {
      if (left === 0) return { demands: kept, isMinimal: false };
      const rest = kept.filter((demand) => !part.includes(demand));
      left -= 1;
      if (isImpossible(requestWith(request, rest))) kept = rest;
    }
  }
  return { demands: kept, isMinimal: true };
}

function halfOf(size: number): number {
  return size === 1 ? 0 : Math.ceil(size / 2);
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

function demandsOf({ graph, pins, placements, ends, forbid = [] }: PlanRequest): readonly Demand[] {
  return [
    ...graph.operators.flatMap(({ id, name }) =>
      pins.has(id) ? [{ kind: "pin", name } as const] : [],
    ),
    ...graph.tensors.flatMap(({ id, name }) =>
      placements.has(id) ? [{ kind: "place", name } as const] : [],
    ),
    ...graph.tensors.flatMap(({ id, name }) =>
      ends.has(id) ? [{ kind: "end", name } as const] : [],
    ),
    ...forbid.map((name) => ({ kind: "forbid", name }) as const),
  ];
}

/** A request with these demands alone. */
function requestWith(request: PlanRequest, demands: readonly Demand[]): PlanRequest {
  const { graph, pins, placements, ends, forbid = [] } = request;
  const stays = (kind: Demand["kind"], name: string | undefined) =>
    demands.some((demand) => demand.kind === kind && demand.name === name);
  const operators = new Map(graph.operators.map(({ id, name }) => [id, name]));
  const tensors = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  return {
    ...request,
    pins: new Map([...pins].filter(([id]) => stays("pin", operators.get(id)))),
    placements: new Map([...placements].filter(([id]) => stays("place", tensors.get(id)))),
    ends: new Map([...ends].filter(([id]) => stays("end", tensors.get(id)))),
    forbid: forbid.filter((name) => stays("forbid", name)),
  };
}

/** `the pin of "h"`, `that all-gather is forbidden`. */
export function demandText({ kind, name }: Demand): string {
  switch (kind) {
    case "pin":
      return `the pin of "${name}"`;
    case "place":
      return `the place of "${name}"`;
    case "end":
      return `the layout asked of "${name}"`;
    case "forbid":
      return `${name} being forbidden`;
  }
}
