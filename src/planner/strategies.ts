import { contractsAxis } from "#core/cost";
import type { Operator } from "#core/ir";
import { freeAxes } from "#core/plan";
import type { RouteAxis } from "#core/reshard";

/** A strategy by axis indices: the mesh axes of each identifier, and those that carry a partial. */
export interface AxisStrategy {
  /** Axes of each identifier that is cut, outermost first. */
  readonly cuts: ReadonlyMap<string, readonly number[]>;
  /** Axes over which a group of operands, by its index in `operator.linear`, stays partial. */
  readonly carry: readonly { readonly axis: number; readonly group: number }[];
}

/** The possibilities of strategies beyond cuts that the annotation allows. */
export interface StrategyOptions {
  readonly axes: readonly RouteAxis[];
  /** Whether pieces may be unequal. */
  readonly uneven: boolean;
  /** Whether partial sums may pass through linear operators. */
  readonly flow: boolean;
  /** Whether an operator that contracts may leave a mesh axis unused. */
  readonly redundant: boolean;
  /** Whether axes may be cut over which the operator combines inside. */
  readonly inner: boolean;
}

/** The most strategies of one operator before a planner gives up. */
const strategyLimit = 20_000;

/**
 * All strategies of an operator (planner-plain.md §2); the strategy without cuts is first. Each
 * mesh axis cuts at most one identifier; several axes on one identifier occur in every order.
 */
export function strategiesOf(
  operator: Operator,
  options: StrategyOptions,
): readonly AxisStrategy[] {
  const { inner = [] } = operator;
  const isPriced = (name: string) => options.inner || !inner.includes(name);
  const names = freeAxes(operator).filter(isPriced);
  const groups = options.flow ? operator.linear.map((_, group) => group) : [];
  let partial: readonly AxisStrategy[] = [{ cuts: new Map(), carry: [] }];
  for (const [axis, { size }] of options.axes.entries()) {
    if (size === 1) continue;
    partial = partial.flatMap((strategy) => [
      strategy,
      ...names.flatMap((name) => inserted(strategy, name, axis)),
      ...groups.map((group) => ({ ...strategy, carry: [...strategy.carry, { axis, group }] })),
    ]);
    if (partial.length > strategyLimit) throw new RangeError("too many strategies");
    partial = partial.filter((strategy) => divides(operator, strategy, options));
  }
  if (options.redundant || !contractsAxis(operator)) return partial;
  const used = ({ cuts }: AxisStrategy) => [...cuts.values()].flat().length;
  const most = partial.reduce((count, strategy) => Math.max(count, used(strategy)), 0);
  return partial.filter((strategy) => used(strategy) === most);
}

function divides({ axes }: Operator, { cuts }: AxisStrategy, options: StrategyOptions): boolean {
  return axes.every(({ name, size }) => {
    const count = (cuts.get(name) ?? []).reduce(
      (product, axis) => product * (options.axes[axis]?.size ?? 1),
      1,
    );
    return options.uneven ? count <= size : size % count === 0;
  });
}

/**
 * Strategies with an axis added to an identifier, at every position among its axes, innermost
 * first. So among equal plans the one in mesh order comes first, which more systems can express.
 */
function inserted(strategy: AxisStrategy, name: string, axis: number): readonly AxisStrategy[] {
  const there = strategy.cuts.get(name) ?? [];
  return Array.from({ length: there.length + 1 }, (_, at) => {
    const place = there.length - at;
    const axes = [...there.slice(0, place), axis, ...there.slice(place)];
    return { ...strategy, cuts: new Map([...strategy.cuts, [name, axes]]) };
  });
}
