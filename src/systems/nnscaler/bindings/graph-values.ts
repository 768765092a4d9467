import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { PolicyNode } from "./policy-node.ts";

/** A tensor of the graph between its producer and its readers; `multiref` makes aliases of it. */
export interface GraphValue {
  readonly tensor: TracedTensor;
  producer: PolicyNode | undefined;
  consumers: PolicyNode[];
}

type PlainInput = Exclude<TracedOperator["inputs"][number], TracedTensor>;

/** An input of a node: a value of the graph, or an argument that is no tensor. */
export type NodeInput = GraphValue | PlainInput;

/** The values of a graph, with the nodes that make and read them. */
export class GraphValues {
  readonly values: GraphValue[] = [];
  private readonly inputs = new Map<PolicyNode, NodeInput[]>();
  private readonly outputs = new Map<PolicyNode, readonly GraphValue[]>();

  constructor(nodes: readonly PolicyNode[]) {
    const byTensor = new Map<TracedTensor, GraphValue>();
    const flowing = (tensor: TracedTensor): GraphValue => {
      const known = byTensor.get(tensor);
      if (known !== undefined) return known;
      const made: GraphValue = { tensor, producer: undefined, consumers: [] };
      byTensor.set(tensor, made);
      this.values.push(made);
      return made;
    };
    for (const node of nodes) {
      const { operator } = node;
      if (operator === undefined) continue;
      const read = operator.inputs.map((each) => (each.kind === "tensor" ? flowing(each) : each));
      this.inputs.set(node, read);
      for (const each of new Set(read)) if (isValue(each)) each.consumers.push(node);
      const made = operator.outputs.map(flowing);
      for (const value of made) value.producer = node;
      this.outputs.set(node, made);
    }
  }

  inputsOf(node: PolicyNode): readonly NodeInput[] {
    return this.inputs.get(node) ?? [];
  }

  outputsOf(node: PolicyNode): readonly GraphValue[] {
    return this.outputs.get(node) ?? [];
  }

  /** Values that no node reads: the results of the program. */
  results(): readonly GraphValue[] {
    return this.values.filter(({ consumers, producer }) => consumers.length === 0 && producer);
  }

  /**
   * Inserts a node between a value and some of its readers, with one shared new value or one per
   * reader.
   */
  insert(
    node: PolicyNode,
    value: GraphValue,
    readers: readonly PolicyNode[],
    share: boolean,
  ): void {
    const once: GraphValue = { tensor: value.tensor, producer: node, consumers: [...readers] };
    const made = share
      ? [once]
      : readers.map((reader): GraphValue => ({ ...once, consumers: [reader] }));
    for (const [at, reader] of readers.entries()) {
      const own = made[share ? 0 : at] ?? once;
      this.inputs.set(
        reader,
        this.inputsOf(reader).map((each) => (each === value ? own : each)),
      );
    }
    value.consumers = [...value.consumers.filter((each) => !readers.includes(each)), node];
    this.inputs.set(node, [value]);
    this.outputs.set(node, made);
    this.values.push(...made);
  }
}

export function isValue(input: NodeInput): input is GraphValue {
  return "tensor" in input;
}

/** Operators whose results carry no gradient. */
const cuttingGradients: ReadonlySet<string> = new Set(
  "detach gt ge lt le eq ne greater less equal argmax argmin isnan isinf".split(" "),
);

/** Whether gradients flow to a tensor, as nnScaler finds when it traces in training mode. */
export class GradientFlow {
  private readonly known = new Map<TracedTensor, boolean>();
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  reaches(tensor: TracedTensor): boolean {
    const found = this.known.get(tensor) ?? this.find(tensor);
    this.known.set(tensor, found);
    return found;
  }

  private find({ dtype, role, producer, constant }: TracedTensor): boolean {
    if (!/^(f|bf|c)/.test(dtype)) return false;
    if (role === "parameter") return true;
    if (producer === undefined) return constant === undefined;
    if (cuttingGradients.has(producer.op) || detachesInside(producer, this.source)) return false;
    return producer.inputs.some((each) => each.kind === "tensor" && this.reaches(each));
  }
}

/** Whether the body of a registered function detaches its result from its inputs. */
function detachesInside({ function: called }: TracedOperator, source: string): boolean {
  const callee = called?.body.kind === "callable" ? called.body.callee : undefined;
  if (callee?.kind !== "function") return false;
  const { from, to } = callee.bodySpan;
  return /\.detach\(|\bno_grad\(/.test(source.slice(from, to));
}
