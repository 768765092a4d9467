import fc from "fast-check";
import { expect, test } from "vitest";
import { movesFrom } from "./axis-moves.ts";
import type { PriceMove } from "./axis-price.ts";
import { AxisRoutes } from "./axis-routes.ts";
import { type AxisState, stateKey } from "./axis-state.ts";

const sizes = [2, 2, 3];

/** Rings without overlap, each axis with a speed of its own. */
const price: PriceMove = ({ collective, axes, bytes }) => {
  const [{ size: n, link } = { size: 1, link: { latency: 0, bandwidth: 1 } }] = axes;
  const hop = (sent: number) => (n - 1) * (link.latency + sent / link.bandwidth);
  if (collective === "slice") return 0;
  if (collective === "all-gather") return hop(bytes);
  if (collective === "all-reduce") return 2 * hop(bytes / n);
  if (collective !== "collective-permute") return hop(bytes / n);
  const slowest = Math.min(...axes.map((axis) => axis.link.bandwidth));
  return Math.max(...axes.map((axis) => axis.link.latency)) + bytes / slowest;
};

function routesOf(count: number, shape: readonly number[], fuses = false): AxisRoutes {
  const axes = sizes.slice(0, count).map((size, at) => ({
    size,
    link: { latency: at + 1, bandwidth: 10 / (at + 1) },
  }));
  return new AxisRoutes({ axes, shape, bytesPerElement: 4, price, fuses });
}

/**
 * Every layout of a matrix over `count` axes: each axis on a dim, in any order, partial or unused.
 */
function statesOf(count: number): readonly AxisState[] {
  return sizes.slice(0, count).reduce<readonly AxisState[]>(
    (states, _, axis) =>
      states.flatMap((state) => [
        state,
        { ...state, partials: [...state.partials, axis] },
        ...state.dims.flatMap((axes, dim) =>
          Array.from({ length: axes.length + 1 }, (__, place) => ({
            ...state,
            dims: state.dims.map((old, at) => (at === dim ? old.toSpliced(place, 0, axis) : old)),
          })),
        ),
      ]),
    [{ dims: [[], []], partials: [] }],
  );
}

/** Least prices from one state, by relaxing every step until nothing changes. */
function relaxed(routes: AxisRoutes, states: readonly AxisState[], from: AxisState) {
  const { axes } = routes.options;
  const best = new Map([[stateKey(from), 0]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const state of states) {
      const so = best.get(stateKey(state));
      if (so === undefined) continue;
      for (const { collective, axes: used, after } of movesFrom(
        state,
        sizes.slice(0, axes.length),
      )) {
        if (!routes.isLegal(after)) continue;
        const own = used.flatMap((axis) => axes[axis] ?? []);
        const bytes = routes.localBytes(routes.id(state));
        const total = so + price({ collective, axes: own, bytes });
        if (total >= (best.get(stateKey(after)) ?? Infinity) - 1e-9) continue;
        best.set(stateKey(after), total);
        changed = true;
      }
    }
  }
  return best;
}

const questions = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  rows: fc.constantFrom(4, 6, 12),
  columns: fc.constantFrom(3, 8, 12),
  pick: fc.nat(),
});

test("no sequence of single-axis steps between two layouts is cheaper than the route", () => {
  let compared = 0;
  const check = ({
    count,
    rows,
    columns,
    pick,
  }: Record<"count" | "rows" | "columns" | "pick", number>) => {
    const routes = routesOf(count, [rows, columns]);
    const states = statesOf(count).filter((state) => routes.isLegal(state));
    const from = states[pick % states.length];
    if (from === undefined) return;
    const best = relaxed(routes, states, from);
    for (const to of states) {
      const seconds = routes.seconds(routes.id(from), routes.id(to));
      const expected = best.get(stateKey(to)) ?? Infinity;
      if (Number.isFinite(expected)) expect(seconds).toBeCloseTo(expected, 6);
      else expect(seconds).toBe(Infinity);
      compared += 1;
    }
  };
  fc.assert(fc.property(questions, check), { seed: 11, numRuns: 30 });
  expect(compared).toBeGreaterThan(400);
});

test("the steps of a route lead from one layout to the other and add up to its seconds", () => {
  const routes = routesOf(3, [12, 12]);
  const from = routes.id({ dims: [[0, 2], []], partials: [1] });
  const to = routes.id({ dims: [[], [1, 2]], partials: [] });
  const steps = routes.route(from, to) ?? [];
  const sum = steps.reduce((total, { seconds }) => total + seconds, 0);
  expect(sum).toBeCloseTo(routes.seconds(from, to), 9);
  expect(stateKey(steps.at(-1)?.move.after ?? { dims: [], partials: [] })).toBe(",1*2|");
});

test("where steps may fuse, axes that a dim loses together are one step, else one each", () => {
  const [from, to] = [
    { dims: [[0, 1], []], partials: [] },
    { dims: [[], []], partials: [] },
  ];
  const countOf = (routes: AxisRoutes) => routes.route(routes.id(from), routes.id(to))?.length;
  expect(countOf(routesOf(2, [12, 12]))).toBe(2);
  expect(countOf(routesOf(2, [12, 12], true))).toBe(1);
});
