import { collectiveSeconds, defaultLink, movedParts, secondsOf } from "#core/collective";
import {
  type AxisName,
  type DeviceMesh,
  type Layout,
  type Link,
  localElements,
  type Part,
  partSize,
  printPart,
  sameBlocks,
} from "#core/mesh";
import { coarsen } from "./coarsen.ts";
import { construct } from "./construct.ts";
import { type DraftStep, draftSteps } from "./emit.ts";
import { exchangeRoute, fallbackRoutes } from "./fallback.ts";
import { type Frame, frameOf, sameMesh } from "./frame.ts";
import { boundOfBlocks } from "./lower-bound.ts";
import { type Routes, searchRoutes } from "./search.ts";
import { remaining, type Space, spaceOf } from "./space.ts";
import type { ReshardStep } from "./step.ts";

/** What a plan may use, and what it is priced with. */
export interface ReshardOptions {
  /** 4 when unsaid. */
  readonly bytesPerElement?: number;
  /** Whether a ragged all-to-all may be used; off when unsaid. */
  readonly exchange?: boolean;
  /** No layout holds more elements per device than this, source, and target. */
  readonly boundElements?: number;
  /** How devices along an axis are connected; goes before what the mesh says. */
  readonly links?: Readonly<Record<AxisName, Link>>;
  /** Seconds to launch any collective; 5 µs when unsaid. */
  readonly launchSeconds?: number;
}

/** Seconds to launch a collective, unless options say otherwise. */
const usualLaunchSeconds = 5e-6;

/** The cheapest sequence of collectives between two layouts, and what was proven about it. */
export interface ReshardPlan {
  readonly steps: readonly ReshardStep[];
  /** Elements that the busiest device receives over all steps. */
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Elements that no plan can go below. */
  readonly lowerBound: number;
  /** The best plans by communicating steps: each further one has more steps and fewer elements. */
  readonly front: readonly { readonly steps: number; readonly elements: number }[];
  /** Whether nothing lies below the front. */
  readonly exact: boolean;
  /** By how much, relative to the lower bound, the front may lie above the optimum; 0 if exact. */
  readonly gap: number;
}

interface Found {
  readonly routes: readonly (readonly DraftStep[])[];
  readonly lowerBound: number;
  readonly exact: boolean;
}

/** Branches tried before the search gives up and states a gap, up to six changing atoms. */
const exactLimit = 20_000_000;

/** The same with more atoms. */
const largeLimit = 50_000;

/**
 * The cheapest sequence of collectives between two layouts of one tensor (redistribution.md §7).
 *
 * Of the (steps, elements) front it takes the point with the least modelled seconds, ties by fewer
 * elements, then fewer steps. No layout on the way is larger than the larger of source and target.
 * Layouts that put the same elements on the same devices need no step. The last step's layout is
 * `to` as written.
 */
export function planReshard(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: ReshardOptions = {},
): ReshardPlan {
  const found = findRoutes(from, to, shape, options);
  const plans = found.routes.map((route) => priced(route, shape, options));
  const chosen = plans.reduce((best, plan) => (isBetter(plan, best) ? plan : best));
  const least = Math.min(...plans.map((plan) => plan.elements));
  const { lowerBound, exact } = found;
  const front = plans.map((plan) => ({
    steps: plan.steps.filter((step) => step.collective !== "slice").length,
    elements: plan.elements,
  }));
  const gap = exact || lowerBound === 0 ? 0 : least / lowerBound - 1;
  return { ...chosen, lowerBound, front, exact, gap };
}

function findRoutes(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: ReshardOptions,
): Found {
  if (shape.includes(0) || sameBlocks(from, to, shape)) {
    return { routes: [[]], lowerBound: 0, exact: true };
  }
  const made = madePartials(from, to);
  if (made.length > 0) return makePartials(from, to, shape, options, made);
  const frame = frameOf(from, to, shape);
  if (frame === undefined) return findByBlocks(from, to, shape, options);
  const space = spaceOf(frame, options.exchange ?? false, options.boundElements);
  const { front, isExact } = bestRoutes(frame, space);
  return {
    routes: front.map(({ edges }) => draftSteps(frame, edges, from, to, shape)),
    lowerBound: remaining(space, space.source),
    exact: isExact,
  };
}

/** First with the largest atoms that the layouts allow, then with prime ones. */
function bestRoutes(frame: Frame, space: Space): Routes {
  const coarse = coarsen(frame, space);
  const seeds =
    coarse === undefined
      ? []
      : searchRoutes(coarse.space, largeLimit, [construct(coarse.space)]).front.map(coarse.refine);
  const limit = space.radices.length <= 6 ? exactLimit : largeLimit;
  return searchRoutes(space, limit, [...seeds, construct(space)]);
}

function findByBlocks(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: ReshardOptions,
): Found {
  const sizes = [from, to].map((layout) => localElements(layout, shape));
  const bound = Math.max(...sizes, options.boundElements ?? 0);
  const lowerBound = boundOfBlocks(from, to, shape);
  const routes = options.exchange
    ? [exchangeRoute(from, to, shape)]
    : fallbackRoutes(from, to, shape, bound);
  const least = Math.min(...routes.map((route) => elementsOf(route)));
  return { routes, lowerBound, exact: least <= lowerBound };
}

/** Partials of the target that the source does not have: made at the end, which moves nothing. */
function madePartials(from: Layout, to: Layout): readonly Part[] {
  const isHeld = (index: number) => {
    const wanted = to.partials[index];
    return from.partials.some(
      ({ part, reduce }) => reduce === wanted?.reduce && covers(part, wanted.part),
    );
  };
  const isSame = sameMesh(from.mesh, to.mesh);
  return to.partials.filter((_, at) => !(isSame && isHeld(at))).map(({ part }) => part);
}

function covers(outer: Part, inner: Part): boolean {
  if (outer.kind === "pieces" || inner.kind === "pieces" || outer.axis !== inner.axis) return false;
  return (
    inner.before % outer.before === 0 &&
    (outer.before * outer.size) % (inner.before * inner.size) === 0
  );
}

function makePartials(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: ReshardOptions,
  made: readonly Part[],
): Found {
  const whole = { ...to, partials: to.partials.filter(({ part }) => !made.includes(part)) };
  const found = findRoutes(from, whole, shape, options);
  const moves = made.map((part) => ({ part }));
  const local: DraftStep = {
    collective: "slice",
    moves,
    groups: [],
    before: whole,
    after: to,
    elements: 0,
  };
  const routes = found.routes.map((route) => [...route, local]);
  return { routes, lowerBound: 0, exact: elementsOf(routes[0] ?? []) === 0 };
}

function elementsOf(route: readonly DraftStep[]): number {
  return route.reduce((sum, step) => sum + step.elements, 0);
}

type Priced = Pick<ReshardPlan, "steps" | "elements" | "bytes" | "seconds">;

function priced(
  route: readonly DraftStep[],
  shape: readonly number[],
  options: ReshardOptions,
): Priced {
  const steps = route.map((step) => pricedStep(step, shape, options));
  const sum = (key: "elements" | "bytes" | "seconds") =>
    steps.reduce((total, step) => total + step[key], 0);
  return { steps, elements: sum("elements"), bytes: sum("bytes"), seconds: sum("seconds") };
}

function pricedStep(
  draft: DraftStep,
  shape: readonly number[],
  options: ReshardOptions,
): ReshardStep {
  const { collective, moves, groups, transfers, before, after, elements } = draft;
  const elementBytes = options.bytesPerElement ?? 4;
  const parts = [...movedParts(moves)].sort((a, b) => comparePlaces(before.mesh, a, b));
  return {
    collective,
    moves,
    axes: parts.map((part) => printPart(before.mesh, part)),
    groups,
    ...(transfers && { transfers }),
    layout: after,
    elements,
    bytes: elements * elementBytes,
    seconds: secondsOfDraft(draft, shape, elementBytes, options),
  };
}

function comparePlaces(mesh: DeviceMesh, a: Part, b: Part): number {
  if (a.kind === "pieces" || b.kind === "pieces") return 0;
  const at = (name: AxisName) => mesh.axes.findIndex((axis) => axis.name === name);
  return at(a.axis) - at(b.axis) || a.before - b.before;
}

function secondsOfDraft(
  draft: DraftStep,
  shape: readonly number[],
  elementBytes: number,
  { links, launchSeconds = usualLaunchSeconds }: ReshardOptions,
): number {
  const linked = links === undefined ? draft : withLinks(draft, links);
  if (draft.transfers !== undefined) {
    return secondsOf(linked, shape, elementBytes, { launch: launchSeconds });
  }
  const parts = movedParts(draft.moves);
  const used = linked.before.mesh.axes.filter((axis) =>
    parts.some((part) => part.kind === "axis" && part.axis === axis.name),
  );
  return collectiveSeconds(draft.collective, {
    groupSize: parts.reduce((product, part) => product * partSize(part), 1),
    bytes: draft.elements * elementBytes,
    links: used.map(({ link }) => link ?? defaultLink),
    launch: launchSeconds,
  });
}

function withLinks(draft: DraftStep, links: Readonly<Record<AxisName, Link>>): DraftStep {
  const { mesh } = draft.before;
  const axes = mesh.axes.map((axis) => {
    const link = links[axis.name];
    return link === undefined ? axis : { ...axis, link };
  });
  return { ...draft, before: { ...draft.before, mesh: { ...mesh, axes } } };
}

function isBetter(plan: Priced, best: Priced): boolean {
  if (plan.seconds !== best.seconds) return plan.seconds < best.seconds;
  if (plan.elements !== best.elements) return plan.elements < best.elements;
  return plan.steps.length < best.steps.length;
}
