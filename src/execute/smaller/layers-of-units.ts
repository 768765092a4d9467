import type { Graph, OperatorId, TensorId } from "#core/ir";
import { append } from "#core/records";
import { producersOf, type Units } from "./runs-as-units.ts";

/** Runs of one layer: of its forward pass, of its backward pass, and its updates. */
export interface Layer {
  readonly units: readonly number[];
  /** Equal for layers of one kind: they are runs of the same repeats. */
  readonly kind: string;
  /**
   * Whether an operator outside of all layers reads a result of this layer that no other layer can
   * replace.
   */
  readonly isFixed: boolean;
}

/** The layers of a program, in its order. */
export function layersOf(graph: Graph, units: Units): readonly Layer[] {
  const joined = new Joined(graph, units);
  const layers = new Map<number, number[]>();
  for (const [unit] of units.units.entries()) append(layers, joined.rootOf(unit), unit);
  return [...layers].map(([root, members]) => ({
    units: members,
    kind: members.map((unit) => units.units[unit]?.repeat).join(),
    isFixed: joined.isFixed(root),
  }));
}

/** Groups of runs (a union-find): runs are joined if they share values that no other run reads. */
class Joined {
  private readonly parents = new Map<number, number>();
  private readonly fixed = new Set<number>();
  private readonly joined = new Set<number>();
  private readonly units: Units;

  constructor(graph: Graph, units: Units) {
    this.units = units;
    const producers = producersOf(graph);
    const readers = new Map<TensorId, Set<number>>();
    for (const { id, inputs } of graph.operators) {
      const unit = units.unitOf.get(id);
      for (const { tensor } of inputs) {
        const producer = producers.get(tensor);
        if (producer !== undefined) this.read(tensor, producer, unit);
        else if (unit !== undefined) {
          const known = readers.get(tensor) ?? new Set();
          readers.set(tensor, known.add(unit));
        }
      }
    }
    for (const each of readers.values()) this.share([...each]);
    this.joinAlone(graph);
  }

  /** Joins single runs to the runs whose backward pass they compute. */
  private joinAlone({ operators }: Graph): void {
    const alone = new Set([...this.units.units.keys()].filter((unit) => !this.joined.has(unit)));
    for (const { id, of } of operators) {
      const [unit, source] = [id, of].map((each) => each && this.units.unitOf.get(each));
      if (unit !== undefined && source !== undefined && alone.has(unit)) this.join(unit, source);
    }
  }

  isFixed(root: number): boolean {
    return [...this.fixed].some((unit) => this.rootOf(unit) === root);
  }

  rootOf(unit: number): number {
    let root = unit;
    for (let parent = this.parents.get(root); parent !== undefined; ) {
      root = parent;
      parent = this.parents.get(root);
    }
    return root;
  }

  private join(one: number, other: number): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (one !== other) for (const unit of [one, other]) this.joined.add(unit);
    if (a !== b) this.parents.set(Math.max(a, b), Math.min(a, b));
  }

  private read(tensor: TensorId, producer: OperatorId, reader: number | undefined): void {
    const maker = this.units.unitOf.get(producer);
    if (maker === undefined || maker === reader || this.units.before.has(tensor)) return;
    if (reader === undefined) this.fixed.add(maker);
    else this.join(maker, reader);
  }

  /**
   * Joins runs of different repeats that share a weight, if each repeat has only one run that reads
   * it.
   */
  private share(readers: readonly number[]): void {
    const repeats = new Set(readers.map((unit) => this.units.units[unit]?.repeat));
    const [first] = readers;
    if (first === undefined || repeats.size < readers.length) return;
    for (const unit of readers) this.join(first, unit);
  }
}
