import { type GraphValue, GraphValues, isValue } from "./graph-values.ts";
import { leavesOf, type PolicyNode } from "./policy-node.ts";

/** A stage of a pipeline: its nodes in order. */
export interface Stage {
  readonly kind: "stage";
  readonly nodes: PolicyNode[];
}

/** The nodes of nnScaler's graph in order, loose or grouped in stages, and the values between them. */
export class GraphNodes {
  readonly top: (PolicyNode | Stage)[];
  readonly values: GraphValues;

  constructor(nodes: readonly PolicyNode[]) {
    this.top = [...nodes];
    this.values = new GraphValues(nodes);
  }

  get stages(): readonly Stage[] {
    return this.top.filter((each) => each.kind === "stage");
  }

  /** All nodes of the program, not their pieces. */
  get all(): readonly PolicyNode[] {
    return this.top.flatMap((each) => (each.kind === "stage" ? each.nodes : [each]));
  }

  /**
   * The current nodes of the graph: pieces instead of partitioned nodes; stages as one node each,
   * and with `isFlat` also their nodes.
   */
  current({ isFlat }: { readonly isFlat: boolean }): readonly (PolicyNode | Stage)[] {
    return this.top.flatMap((each): readonly (PolicyNode | Stage)[] => {
      if (each.kind !== "stage") return leavesOf(each);
      return isFlat ? [each, ...each.nodes.flatMap(leavesOf)] : [each];
    });
  }

  /**
   * Gives each of several readers an alias of a value; the new node goes after the producer, or
   * before the first reader.
   */
  multiref(value: GraphValue): PolicyNode {
    const node: PolicyNode = { kind: "multiref", name: "multiref", piece: undefined, devices: [] };
    const { producer, consumers } = value;
    const places = (producer === undefined ? consumers : [producer]).map((each) =>
      this.top.indexOf(each),
    );
    const at = producer === undefined ? Math.min(...places) : Math.max(...places) + 1;
    this.values.insert(node, value, consumers, false);
    this.top.splice(Math.max(at, 0), 0, node);
    return node;
  }

  /**
   * Groups the operators into stages that begin at the given nodes. Each stage begins with an
   * identity for every value that comes from an earlier stage or passes through
   * (`IRGraph.staging`).
   */
  staging(starts: readonly PolicyNode[]): void {
    const begins = starts.map((node) => this.withMultirefsBefore(this.top.indexOf(node)));
    const first = this.top.findIndex((each) => each.kind !== "data");
    if (begins.length > 0) begins[0] = Math.max(first, 0);
    const groups = begins.map((from, at) =>
      this.top.slice(from, begins[at + 1] ?? this.top.length).filter(isNode),
    );
    const stages = groups.filter((nodes) => nodes.length > 0).map((nodes): PolicyNode[] => nodes);
    this.top.splice(Math.max(first, 0));
    this.passOn(stages);
    this.top.push(...stages.map((nodes): Stage => ({ kind: "stage", nodes })));
  }

  private withMultirefsBefore(from: number): number {
    let at = from;
    while (at > 0 && this.top[at - 1]?.kind === "multiref") at -= 1;
    return at;
  }

  private passOn(stages: readonly PolicyNode[][]): void {
    const stageOf = new Map(
      stages.flatMap((nodes, at) => nodes.map((node) => [node, at] as const)),
    );
    for (const value of [...this.values.values]) {
      const made = value.producer && stageOf.get(value.producer);
      if (made === undefined) continue;
      const last = Math.max(made, ...value.consumers.map((each) => stageOf.get(each) ?? 0));
      let current = value;
      for (let stage = made + 1; stage <= last; stage++) {
        const name = "identity";
        const node: PolicyNode = { kind: name, name, piece: undefined, devices: [] };
        const later = current.consumers.filter((each) => (stageOf.get(each) ?? 0) >= stage);
        this.values.insert(node, current, later, true);
        stages[stage]?.unshift(node);
        current = this.values.outputsOf(node)[0] ?? current;
      }
    }
  }

  /** The nodes, or their pieces, that read a value (a full tensor for policies). */
  readersOf(value: GraphValue): readonly PolicyNode[] {
    return value.consumers.flatMap(leavesOf);
  }

  /** Every value in the order in which nodes read and make them. */
  ordered(): readonly GraphValue[] {
    const seen = this.all.flatMap((node) => [
      ...this.values.inputsOf(node).filter(isValue),
      ...this.values.outputsOf(node),
    ]);
    return [...new Set(seen)];
  }
}

function isNode(each: PolicyNode | Stage): each is PolicyNode {
  return each.kind !== "stage";
}
