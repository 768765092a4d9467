import { product } from "#core/arithmetic";
import { createPermute, stepElements as transferredElements } from "#core/collective";
import { type Layout, localElements, type Part, sameBlocks, sameMesh } from "#core/mesh";
import { frameOf } from "./align.ts";
import { canonicalQuestion } from "./canonical.ts";
import { coarsen } from "./coarsen.ts";
import { construct } from "./construct.ts";
import { searchDigitLayouts } from "./digit-search.ts";
import { type DraftStep, draftSteps } from "./emit.ts";
import { exchangeRoute, fallbackRoutes } from "./fallback.ts";
import { elementsIn, frontOf } from "./front.ts";
import { boundOfBlocks } from "./lower-bound.ts";
import { exactSubAxes, type Frame, primesOf } from "./prime-sub-axis.ts";
import type { PriceOptions } from "./rates.ts";
import { type Routes, searchRoutes } from "./search.ts";
import { remaining, type Space, spaceOf } from "./space.ts";

/** The allowed steps of a search, and the prices that decide between equal plans. */
export interface RouteOptions extends PriceOptions {
  /** Whether a ragged all-to-all may be used; off if absent. */
  readonly exchange?: boolean;
  /**
   * Upper bound on the elements per device of intermediate layouts; raised to those of source and
   * target if they hold more.
   */
  readonly boundElements?: number;
}

/** The undominated plans, by communicating steps, and the proof about them. */
export interface Found {
  /**
   * The plans; two may have equal steps and elements, if the tensor's size decides which is faster.
   */
  readonly routes: readonly (readonly DraftStep[])[];
  readonly lowerBound: number;
  readonly exact: boolean;
  /** Whether a shape with other sizes but the same even cuts has the same routes, in proportion. */
  readonly isProportional: boolean;
  /** The reason why plans were left out as too large to write out. */
  readonly limit?: RouteLimit;
}

/**
 * The reason why plans were left out. `exchange`: an exchange would have too many messages.
 * `bound`: an exchange would have too many messages, and a layout on the way exceeds the bound.
 * `unaligned`: pieces of source and target do not nest, and only an exchange, which may not be
 * used, leads from one to the other within the bound.
 */
export type RouteLimit = "exchange" | "bound" | "unaligned";

/** Branches tried before the search gives up and states a gap, up to six changing sub-axes. */
const exactLimit = 20_000_000;

/** Branches tried with more changing sub-axes. */
const largeLimit = 50_000;

/** The front of plans between two layouts. */
export function findRoutes(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: RouteOptions,
): Found {
  if (shape.includes(0) || sameBlocks(from, to, shape)) {
    return { routes: [[]], lowerBound: 0, exact: true, isProportional: true };
  }
  const made = madePartials(from, to);
  if (made.length > 0) return makePartials(from, to, shape, options, made);
  const frame = frameOf(from, to, shape);
  const isSure = frame !== undefined && frame.subAxes.length <= exactSubAxes;
  // A search that may give up depends on the order of dims and axes; canonical order makes its
  // result independent of it.
  const turned = isSure
    ? undefined
    : canonicalQuestion({ from, to, shape }, roomsIn(frame, shape), options);
  if (turned === undefined) return findIn(frame, from, to, shape, options);
  const { question, back } = turned;
  const own = frameOf(question.from, question.to, question.shape);
  const found = findIn(own, question.from, question.to, question.shape, options);
  return { ...found, routes: found.routes.map(back) };
}

/**
 * The effect of each dim's size on a search, as a text: how many more digits of each radix fit in
 * the dim, at most as many as there are sub-axes of that radix.
 */
function roomsIn(frame: Frame | undefined, shape: readonly number[]): readonly string[] {
  if (frame === undefined) return shape.map(String);
  const counts = new Map<number, number>();
  for (const { radix } of frame.subAxes) counts.set(radix, (counts.get(radix) ?? 0) + 1);
  const isSpare = (slot: number) => slot >= frame.spareFrom;
  return shape.map((size, at) => {
    const used = (frame.dims[at] ?? []).flatMap((digit) =>
      digit.kind === "slot" && isSpare(digit.slot) ? [] : [digit.radix],
    );
    const primes = primesOf(size / product(used));
    const rooms = [...counts].map(([radix, count]) => {
      return `${radix}^${Math.min(count, primes.filter((prime) => prime === radix).length)}`;
    });
    return rooms.sort().join();
  });
}

function findIn(
  frame: Frame | undefined,
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: RouteOptions,
): Found {
  if (frame === undefined) return findByBlocks(from, to, shape, options);
  const space = spaceOf(frame, options.exchange ?? false, options.boundElements, options);
  const { front, isExact } = bestRoutes(frame, space);
  const drafts = front.map(({ edges }) => draftSteps(frame, edges, from, to, shape));
  const routes = drafts.filter((route) => route !== undefined);
  const isWhole = routes.length === drafts.length;
  if (!isWhole) return withoutTooLarge(routes, from, to, shape, options);
  return {
    routes,
    lowerBound: remaining(space, space.source),
    exact: isExact,
    isProportional: sameMesh(from.mesh, to.mesh),
  };
}

/** The plans that can be written out, with those that need no exchange. */
function withoutTooLarge(
  routes: readonly (readonly DraftStep[])[],
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: RouteOptions,
): Found {
  const others = options.exchange
    ? findRoutes(from, to, shape, { ...options, exchange: false })
    : findByBlocks(from, to, shape, options);
  const { lowerBound } = others;
  const all = frontOf([...routes, ...others.routes], shape, options);
  const exact = Math.min(...all.map(elementsIn)) <= lowerBound;
  const limit = others.limit ?? "exchange";
  return { routes: all, lowerBound, exact, isProportional: false, limit };
}

/**
 * Routes with the largest sub-axes that the layouts allow, then with prime ones. If prime ones are
 * too many for an exact search, the large ones are also tried with one joint left open: an axis of
 * 8 may have to move as 4 × 2 to meet one of 4.
 */
function bestRoutes(frame: Frame, space: Space): Routes {
  const isLarge = space.radices.length > exactSubAxes;
  const joints = isLarge ? space.radices.keys() : [];
  const seeds = [undefined, ...joints].flatMap((apart) => {
    const coarse = coarsen(frame, space, apart);
    if (coarse === undefined) return [];
    const simple = [construct(coarse.space)];
    const found = searchRoutes(coarse.space, largeLimit, simple, apart === undefined);
    return found.front.map(coarse.refine);
  });
  const known = [...seeds, construct(space)];
  return searchRoutes(space, isLarge ? largeLimit : exactLimit, known, !isLarge);
}

function findByBlocks(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: RouteOptions,
): Found {
  const sizes = [from, to].map((layout) => localElements(layout, shape));
  const bound = Math.max(...sizes, options.boundElements ?? 0);
  const lowerBound = boundOfBlocks(from, to, shape);
  const portable = sameMesh(from.mesh, to.mesh)
    ? searchDigitLayouts(from, to, shape, bound, options)
    : reorderedRoutes(from, to, shape, options);
  const exchange = options.exchange ? exchangeRoute(from, to, shape) : undefined;
  const others =
    exchange === undefined
      ? fallbackRoutes(from, to, shape, bound, portable.length === 0, lowerBound)
      : [exchange];
  const routes = frontOf([...portable, ...others], shape, options);
  const least = Math.min(...routes.map((route) => elementsIn(route)));
  const isLeftOut = options.exchange === true && exchange === undefined;
  const limit = limitOf(routes, shape, bound, isLeftOut) ?? unaligned(routes, options);
  const found = { routes, lowerBound, exact: least <= lowerBound, isProportional: false };
  return limit === undefined ? found : { ...found, limit };
}

/** The limit `unaligned`, if every plan has an exchange though none may be used. */
function unaligned(
  routes: readonly (readonly DraftStep[])[],
  { exchange }: RouteOptions,
): RouteLimit | undefined {
  const isOnly = routes.every((route) => route.some(({ collective }) => collective === "exchange"));
  return exchange !== true && isOnly ? "unaligned" : undefined;
}

function limitOf(
  routes: readonly (readonly DraftStep[])[],
  shape: readonly number[],
  bound: number,
  isWithoutExchange: boolean,
): RouteLimit | undefined {
  const layouts = routes.flatMap((route) => route.map(({ after }) => after));
  if (layouts.some((layout) => localElements(layout, shape) > bound)) return "bound";
  return isWithoutExchange ? "exchange" : undefined;
}

/**
 * Routes between meshes with the same axes and permuted devices: a route on one mesh, with a
 * permute to or from the other.
 */
function reorderedRoutes(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: RouteOptions,
): readonly (readonly DraftStep[])[] {
  if (!sameMesh(from.mesh, { ...to.mesh, devices: from.mesh.devices })) return [];
  const [first, last] = [
    { ...from, mesh: to.mesh },
    { ...to, mesh: from.mesh },
  ];
  const before = permuted(from, first, shape);
  const after = permuted(last, to, shape);
  const routes = [
    ...(before ? findRoutes(first, to, shape, options).routes.map((r) => [...before, ...r]) : []),
    ...(after ? findRoutes(from, last, shape, options).routes.map((r) => [...r, ...after]) : []),
  ];
  return routes.map((route) =>
    route.map((step, at) => (at === route.length - 1 ? { ...step, after: to } : step)),
  );
}

function permuted(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): readonly DraftStep[] | undefined {
  const step = createPermute(before, after, shape);
  return step && [{ ...step, elements: transferredElements(step, shape) }];
}

/**
 * Partials of the target that the source does not have: they are made at the end without
 * communication.
 */
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
  options: RouteOptions,
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
  return { ...found, routes, lowerBound: 0, exact: elementsIn(routes[0] ?? []) === 0 };
}
