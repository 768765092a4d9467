import { greatestCommonDivisor } from "#core/arithmetic";
import type { Operator } from "#core/ir";
import { append } from "#core/records";
import type { Factor, SizeNode, SizeRelation } from "./size-nodes.ts";

type Bound = Extract<SizeRelation, { kind: "bound" }>;

/** The formula by which a size follows from others. */
export type Definition =
  | { readonly kind: "product"; readonly factors: readonly Factor[] }
  | { readonly kind: "sum"; readonly parts: readonly Factor[] }
  | { readonly kind: "bound"; readonly bound: Bound };

/** Two products that have to be equal, if neither side defines a size. */
export interface Equation {
  readonly left: readonly Factor[];
  readonly right: readonly Factor[];
}

/**
 * Sizes of a program in classes of equal ones; some classes are free, the others follow from them.
 */
export class SizeEquations {
  readonly definitions = new Map<SizeNode, Definition>();
  readonly equations: Equation[] = [];
  readonly pinned = new Set<SizeNode>();
  readonly least = new Map<SizeNode, number>();
  readonly multiples = new Map<SizeNode, number[]>();
  /**
   * Auxiliary sizes that do not occur in the program; several of its sizes are multiples of one.
   */
  readonly shared = new Map<SizeNode, number>();
  private readonly parents = new Map<SizeNode, SizeNode>();
  private readonly reads: (operator: Operator) => readonly SizeNode[];

  private readonly sizeOf: (node: SizeNode) => number | undefined;

  /**
   * @param sizeOf the program's size at a node
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
    if (root !== node) this.parents.set(node, root);
    return root;
  }

  /** The sizes in a definition, by their classes. */
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

  /** Defines a size; if the size already has a definition, both must agree. */
  private define(node: SizeNode, definition: Definition): void {
    const root = this.behind(node);
    const before = this.definitions.get(root);
    if (before === undefined && !this.reaches(definition, root)) {
      this.definitions.set(root, definition);
      return;
    }
    if (before?.kind === "sum" && definition.kind === "sum") {
      const pairs = this.pairsOf(before.parts, definition.parts);
      for (const [one, other] of pairs ?? []) this.equate([one], [other]);
      if (pairs !== undefined) return;
    }
    const other = `${root} again ${this.definitions.size}` as SizeNode;
    this.definitions.set(other, definition);
    this.equations.push({ left: [root], right: [other] });
  }

  /** Resolves a size that is defined as another size. */
  private behind(node: SizeNode): SizeNode {
    const definition = this.definitions.get(node);
    const [only] = definition?.kind === "product" ? definition.factors : [];
    const isOther = definition?.kind === "product" && definition.factors.length === 1;
    return isOther && only !== undefined && typeof only !== "number" ? this.behind(only) : node;
  }

  /** The parts of two sums in pairs, if their sizes are equal one by one. */
  private pairsOf(
    parts: readonly Factor[],
    others: readonly Factor[],
  ): readonly (readonly [Factor, Factor])[] | undefined {
    const rest = [...others];
    const sizeOf = (each: Factor) => (typeof each === "number" ? each : this.oldSize(each));
    const pairs = parts.flatMap((one): readonly (readonly [Factor, Factor])[] => {
      const same = rest.indexOf(one);
      const at = same >= 0 ? same : rest.findIndex((other) => sizeOf(other) === sizeOf(one));
      const [other] = at < 0 ? [] : rest.splice(at, 1);
      return other === undefined ? [] : [[one, other]];
    });
    return pairs.length === parts.length && rest.length === 0 ? pairs : undefined;
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

  /** Solves an equation of two products for a size without a definition. */
  private equate(left: readonly Factor[], right: readonly Factor[]): void {
    const [a, b] = cancelled(this.expanded(left), this.expanded(right));
    if (a.length === 0 && b.length === 0) return;
    if ([...a, ...b].every((each) => typeof each === "number")) return;
    const isFree = (side: readonly Factor[]): SizeNode | undefined => {
      const [only] = side;
      const isAlone = side.length === 1 && typeof only !== "number";
      return isAlone && only !== undefined && !this.definitions.has(only) ? only : undefined;
    };
    if (this.pair(a, b) || this.pair(b, a)) {
      this.equate(a, b);
      return;
    }
    const [freeLeft, freeRight] = [isFree(a), isFree(b)];
    if (freeLeft !== undefined) this.define(freeLeft, { kind: "product", factors: b });
    else if (freeRight !== undefined) this.define(freeRight, { kind: "product", factors: a });
    else if (!this.halve(a, b)) this.equations.push({ left: a, right: b });
  }

  /**
   * A size on each side becomes a multiple of one that both share: then both shrink alike.
   *
   * @returns whether there are such sizes
   */
  private halve(left: readonly Factor[], right: readonly Factor[]): boolean {
    const pairs = this.freeOf(left).flatMap((one) =>
      this.freeOf(right).map((other) => {
        const [a, b] = [this.oldSize(one) ?? 1, this.oldSize(other) ?? 1];
        return { one, other, a, b, shared: one === other ? 1 : greatestCommonDivisor(a, b) };
      }),
    );
    const best = pairs.sort((p, q) => q.shared - p.shared)[0];
    if (best === undefined || best.shared < 2) return false;
    const { one, other, a, b, shared } = best;
    const node = `${one} and ${other}` as SizeNode;
    this.shared.set(node, shared);
    this.define(one, { kind: "product", factors: [a / shared, node] });
    this.define(other, { kind: "product", factors: [b / shared, node] });
    this.equate(left, right);
    return true;
  }

  private oldSize(node: SizeNode): number | undefined {
    return this.shared.get(node) ?? this.sizeOf(node);
  }

  private freeOf(factors: readonly Factor[]): readonly SizeNode[] {
    return factors.filter(
      (each): each is SizeNode => typeof each !== "number" && !this.definitions.has(each),
    );
  }

  /** Defines a free size as another size, or number, of the same value; returns whether it did. */
  private pair(sizes: readonly Factor[], others: readonly Factor[]): boolean {
    for (const one of this.freeOf(sizes)) {
      const size = this.oldSize(one);
      const same = others.find((other) => {
        if (typeof other === "number") return other === size;
        const definition: Definition = { kind: "product", factors: [other] };
        return this.oldSize(other) === size && !this.reaches(definition, one);
      });
      if (same === undefined) continue;
      this.define(one, { kind: "product", factors: [same] });
      return true;
    }
    return false;
  }

  /** Factors, with products among them written out. */
  private expanded(factors: readonly Factor[]): readonly Factor[] {
    return factors.flatMap((each): readonly Factor[] => {
      if (typeof each === "number") return each === 1 ? [] : [each];
      const root = this.rootOf(each);
      const definition = this.definitions.get(root);
      return definition?.kind === "product" ? this.expanded(definition.factors) : [root];
    });
  }
}

/** The two sides of a relation of equality. */
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
