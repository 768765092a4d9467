import type { Operator } from "#core/ir";
import { append } from "#core/records";
import type { CutCounts } from "./cut-counts.ts";
import type { Definition, Equation, SizeEquations } from "./size-equations.ts";
import type { Factor, SizeNode } from "./size-nodes.ts";

/** The facts about a program's sizes before smaller ones are chosen. */
export interface SizeProblem {
  readonly equations: SizeEquations;
  readonly sizeOf: (node: SizeNode) => number | undefined;
  readonly nodes: Iterable<SizeNode>;
  readonly cuts: CutCounts;
  /** Lower limit on the elements of a piece that is at least as large at present. */
  readonly floor: number;
  /** The size of a result's dim on other sizes of the operands, if the operator takes them. */
  readonly bind: (
    operator: Operator,
    sizeOf: (node: SizeNode) => number,
  ) => readonly (readonly number[])[] | undefined;
}

/** Limit on the sizes that are tried for one root size. */
const mostTried = 4096;

/** Smaller sizes that every cut of the plan divides as before, by class of sizes. */
export function chooseSizes(problem: SizeProblem): ReadonlyMap<SizeNode, number> {
  return new Choice(problem).run();
}

class Choice {
  private readonly problem: SizeProblem;
  private readonly old = new Map<SizeNode, number>();
  private readonly cuts = new Map<SizeNode, Set<number>>();
  private readonly chosen = new Map<SizeNode, number>();
  private readonly known = new Map<SizeNode, number>();
  /** Sizes derived from each size; `equationsOf` has the equations that contain it. */
  private readonly madeFrom = new Map<SizeNode, SizeNode[]>();
  private readonly equationsOf = new Map<SizeNode, Equation[]>();

  constructor(problem: SizeProblem) {
    this.problem = problem;
    const { equations, nodes, sizeOf, cuts } = problem;
    for (const node of nodes) {
      const root = equations.rootOf(node);
      const size = sizeOf(node);
      if (size !== undefined) this.old.set(root, size);
      const own = this.cuts.get(root) ?? new Set([2]);
      for (const count of cuts.get(node) ?? []) own.add(count);
      this.cuts.set(root, own);
    }
    for (const [made, definition] of equations.definitions)
      for (const part of equations.partsOf(definition)) append(this.madeFrom, part, made);
    for (const equation of equations.equations)
      for (const each of [...equation.left, ...equation.right])
        if (typeof each !== "number") append(this.equationsOf, equations.rootOf(each), equation);
    for (const [node, size] of equations.shared) {
      this.old.set(node, size);
      this.cuts.set(node, new Set([1]));
    }
  }

  run(): ReadonlyMap<SizeNode, number> {
    const { equations } = this.problem;
    const free = [...this.old]
      .filter(([root, size]) => size > 1 && !this.isMade(root) && !equations.pinned.has(root))
      .sort((a, b) => b[1] - a[1]);
    for (let pass = 0; pass < 2; pass += 1) {
      for (const [root, size] of free) this.shrink(root, this.chosen.get(root) ?? size);
    }
    return new Map([...this.old.keys()].map((root) => [root, this.valueOf(root)]));
  }

  private isMade(root: SizeNode): boolean {
    return this.problem.equations.definitions.has(root);
  }

  /**
   * Reduces a size to the smallest value with which all derived sizes can still be cut as before.
   */
  private shrink(root: SizeNode, size: number): void {
    const affected = this.affectedBy(root);
    const equations = affected.flatMap((each) => this.equationsOf.get(each) ?? []);
    const tried = Math.min(size, mostTried);
    const take = (other: number) => {
      this.chosen.set(root, other);
      for (const each of affected) this.known.delete(each);
    };
    for (let other = Math.min(2, size); other < tried; other += 1) {
      take(other);
      if (affected.every((each) => this.isAlike(each)) && this.areEqual(equations)) return;
    }
    take(size);
  }

  /** A size and all sizes derived from it. */
  private affectedBy(root: SizeNode): readonly SizeNode[] {
    const found = new Set([root]);
    for (const each of found) for (const made of this.madeFrom.get(each) ?? []) found.add(made);
    return [...found];
  }

  private isAlike(root: SizeNode): boolean {
    const { equations, floor } = this.problem;
    const [size, before] = [this.valueOf(root), this.old.get(root)];
    if (!Number.isInteger(size) || size < 0) return false;
    if (before === undefined) return true;
    if (equations.pinned.has(root)) return size === before;
    if (size < Math.min(before, equations.least.get(root) ?? 0)) return false;
    const parts = equations.multiples.get(root) ?? [];
    if (!parts.every((of) => size % of === 0)) return false;
    const cuts = [...(this.cuts.get(root) ?? [])];
    const pieces = Math.max(...cuts);
    if (size < Math.min(before, floor * pieces)) return false;
    return cuts.every((count) => isCutAlike(before, size, count));
  }

  private areEqual(equations: readonly Equation[]): boolean {
    return equations.every(({ left, right }) => this.product(left) === this.product(right));
  }

  private valueOf(root: SizeNode): number {
    const known = this.known.get(root);
    if (known !== undefined) return known;
    const definition = this.problem.equations.definitions.get(root);
    const value =
      definition === undefined
        ? (this.chosen.get(root) ?? this.old.get(root) ?? Number.NaN)
        : this.madeOf(definition);
    this.known.set(root, value);
    return value;
  }

  private madeOf(definition: Definition): number {
    switch (definition.kind) {
      case "product":
        return this.product(definition.factors);
      case "sum":
        return definition.parts.reduce<number>((sum, each) => sum + this.factor(each), 0);
      case "bound": {
        const { operator, output, dim } = definition.bound;
        const made = this.problem.bind(operator, (node) => this.factor(node));
        return made?.[output]?.[dim] ?? Number.NaN;
      }
    }
  }

  private product(factors: readonly Factor[]): number {
    return factors.reduce<number>((product, each) => product * this.factor(each), 1);
  }

  private factor(each: Factor): number {
    return typeof each === "number" ? each : this.valueOf(this.problem.equations.rootOf(each));
  }
}

/**
 * Whether equally many pieces are full, short and empty under another size as under the old one.
 */
function isCutAlike(before: number, size: number, count: number): boolean {
  const [old, now] = [before, size].map((each) => Math.ceil(each / count));
  if (old === undefined || now === undefined || (now === 0) !== (old === 0)) return false;
  if (before % count === 0) return size % count === 0;
  return (
    size % count !== 0 &&
    Math.ceil(before / old) === Math.ceil(size / now) &&
    size >= Math.min(before, count)
  );
}
