import type { Operator } from "#core/ir";
import { append } from "#core/records";
import type { Factor, SizeNode, SizeRelation } from "./size-nodes.ts";

type Bound = Extract<SizeRelation, { kind: "bound" }>;

/** How a size follows from others. */
export type Definition =
  | { readonly kind: "product"; readonly factors: readonly Factor[] }
  | { readonly kind: "sum"; readonly parts: readonly Factor[] }
  | { readonly kind: "bound"; readonly bound: Bound };

/** Two products that have to be equal, where neither side defines a size. */
export interface Equation {
  readonly left: readonly Factor[];
  readonly right: readonly Factor[];
}

/** The sizes of a program as classes of equal ones: some free, the others made of those. */
export class SizeEquations {
  readonly definitions = new Map<SizeNode, Definition>();
  readonly equations: Equation[] = [];
  readonly pinned = new Set<SizeNode>();
  readonly least = new Map<SizeNode, number>();
  readonly multiples = new Map<SizeNode, number[]>();
  private readonly parents = new Map<SizeNode, SizeNode>();
  private readonly reads: (operator: Operator) => readonly SizeNode[];

  private readonly sizeOf: (node: SizeNode) => number | undefined;

  /**
   * @param sizeOf the size that a program has there
   * @param reads the sizes of an operator's operands
   */
  constructor(
    relations: readonly SizeRelation[],
    sizeOf: (node: SizeNode) => number | undefined,
    reads: (operator: Operator) => readonly SizeNode[],
  ) {
    this.sizeOf = sizeOf;
    this.reads = reads;
    for (const relation of relations) {
      if (relation.kind === "same") this.join(...relation.nodes);
      const pair = relation.kind === "product" ? pairOf(relation) : undefined;
      if (pair !== undefined) this.join(...pair);
    }
    for (const relation of relations) this.add(relation);
    for (const node of [...this.pinned]) this.pinned.add(this.rootOf(node));
  }

  rootOf(node: SizeNode): SizeNode {
    let root = node;
    for (let parent = this.parents.get(root); parent !== undefined; parent = this.parents.get(root))
      root = parent;
    return root;
  }

  /** The sizes that a definition is made of, by their classes. */
  partsOf(definition: Definition): readonly SizeNode[] {
    const factors =
      definition.kind === "bound"
        ? this.reads(definition.bound.operator)
        : definition.kind === "sum"
          ? definition.parts
          : definition.factors;
    return factors.flatMap((each) => (typeof each === "number" ? [] : [this.rootOf(each)]));
  }

  private join(one: SizeNode, other: SizeNode): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    if (this.sizeOf(a) === this.sizeOf(b)) this.parents.set(b, a);
    else for (const each of [a, b]) this.pinned.add(each);
  }

  private add(relation: SizeRelation): void {
    switch (relation.kind) {
      case "same":
        return;
      case "product":
        if (pairOf(relation) === undefined) this.equate(relation.left, relation.right);
        return;
      case "sum":
        this.define(this.rootOf(relation.whole), {
          kind: "sum",
          parts: this.roots(relation.parts),
        });
        return;
      case "bound":
        this.define(this.rootOf(relation.node), { kind: "bound", bound: relation });
        return;
      case "least": {
        const root = this.rootOf(relation.node);
        this.least.set(root, Math.max(this.least.get(root) ?? 0, relation.size));
        return;
      }
      case "multiple":
        append(this.multiples, this.rootOf(relation.node), relation.of);
        return;
      case "pinned":
        this.pinned.add(relation.node);
        return;
    }
  }

  private roots(factors: readonly Factor[]): readonly Factor[] {
    return factors.map((each) => (typeof each === "number" ? each : this.rootOf(each)));
  }

  /** A size that has a definition already has to agree with this one too. */
  private define(root: SizeNode, definition: Definition): void {
    if (!this.definitions.has(root) && !this.reaches(definition, root)) {
      this.definitions.set(root, definition);
      return;
    }
    const other = `${root} again ${this.definitions.size}` as SizeNode;
    this.definitions.set(other, definition);
    this.equations.push({ left: [root], right: [other] });
  }

  private reaches(definition: Definition, root: SizeNode): boolean {
    const seen = new Set<SizeNode>();
    const ahead = [...this.partsOf(definition)];
    for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
      if (at === root) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      const next = this.definitions.get(at);
      if (next !== undefined) ahead.push(...this.partsOf(next));
    }
    return false;
  }

  /** Solves an equation of two products for a size that nothing defines yet. */
  private equate(left: readonly Factor[], right: readonly Factor[]): void {
    const [a, b] = cancelled(this.expanded(left), this.expanded(right));
    if (a.length === 0 && b.length === 0) return;
    const isFree = (side: readonly Factor[]): SizeNode | undefined => {
      const [only] = side;
      const isAlone = side.length === 1 && typeof only !== "number";
      return isAlone && only !== undefined && !this.definitions.has(only) ? only : undefined;
    };
    const [freeLeft, freeRight] = [isFree(a), isFree(b)];
    if (freeLeft !== undefined) this.define(freeLeft, { kind: "product", factors: b });
    else if (freeRight !== undefined) this.define(freeRight, { kind: "product", factors: a });
    else this.equations.push({ left: a, right: b });
  }

  /** Factors with those that are products themselves written out. */
  private expanded(factors: readonly Factor[]): readonly Factor[] {
    return factors.flatMap((each): readonly Factor[] => {
      if (typeof each === "number") return each === 1 ? [] : [each];
      const root = this.rootOf(each);
      const definition = this.definitions.get(root);
      return definition?.kind === "product" ? this.expanded(definition.factors) : [root];
    });
  }
}

/** Both sides of a relation that says two sizes are one. */
function pairOf({
  left,
  right,
}: Extract<SizeRelation, { kind: "product" }>): readonly [SizeNode, SizeNode] | undefined {
  const [a, b] = [left[0], right[0]];
  if (left.length !== 1 || right.length !== 1) return undefined;
  if (typeof a === "number" || typeof b === "number") return undefined;
  return a === undefined || b === undefined ? undefined : [a, b];
}

function cancelled(
  left: readonly Factor[],
  right: readonly Factor[],
): readonly [readonly Factor[], readonly Factor[]] {
  const rest = [...right];
  const kept = left.filter((each) => {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [kept, rest];
}
