import type { Table, Variable } from "./table.ts";

/** Chooses the next variable: the one whose elimination takes the fewest entries, then the first. */
export class EliminationOrder {
  private readonly variables: readonly Variable[];
  private readonly live: readonly ReadonlySet<Table>[];
  private readonly weights: Float64Array;
  private readonly left: Set<number>;

  constructor(variables: readonly Variable[], live: readonly ReadonlySet<Table>[]) {
    this.variables = variables;
    this.live = live;
    this.left = new Set(variables.keys());
    this.weights = Float64Array.from(variables, (_, at) => this.weigh(at));
  }

  take(): number | undefined {
    let [best, least] = [undefined as number | undefined, Number.POSITIVE_INFINITY];
    for (const at of this.left) {
      const weight = this.weights[at] ?? 0;
      if (weight < least) [best, least] = [at, weight];
    }
    const taken = best ?? [...this.left][0];
    if (taken !== undefined) this.left.delete(taken);
    return taken;
  }

  changed(scope: readonly number[]): void {
    for (const at of scope) this.weights[at] = this.weigh(at);
  }

  private weigh(at: number): number {
    const classes = new Map<number, number>([[at, this.variables[at]?.cost.length ?? 1]]);
    for (const { scope, dims } of this.live[at] ?? []) {
      for (const [index, other] of scope.entries()) {
        if (other === at) continue;
        const size = this.variables[other]?.cost.length ?? 1;
        classes.set(other, Math.min(size, (classes.get(other) ?? 1) * (dims[index] ?? 1)));
      }
    }
    return [...classes.values()].reduce((product, size) => product * size, 1);
  }
}
