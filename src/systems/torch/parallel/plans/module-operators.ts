import { type Operator, type Tensor, type TensorId, tensorId, tensorsById } from "#core/ir";
import type { BuiltGraph } from "#language/document/graph";
import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { InstanceValue } from "#language/python";

/** The operators of a graph by the modules that run them, and its tensors by those of the run. */
export class ModuleOperators {
  readonly built: BuiltGraph;
  private readonly ids: ReadonlyMap<TracedTensor, TensorId>;
  private readonly byModule = new Map<InstanceValue, Operator[]>();
  private readonly modulesOf = new Map<Operator, ReadonlySet<InstanceValue>>();
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly makers = new Map<TensorId, Operator>();
  private readonly readers = new Map<TensorId, Operator[]>();
  private readonly results: ReadonlySet<TensorId>;

  constructor(built: BuiltGraph) {
    this.built = built;
    this.ids = new Map([...built.tracedBy].map(([name, traced]) => [traced, tensorId(name)]));
    this.tensors = tensorsById(built.graph);
    this.results = new Set(built.graph.outputs);
    for (const operator of built.graph.operators) {
      for (const { tensor } of operator.outputs) this.makers.set(tensor, operator);
      for (const { tensor } of operator.inputs) {
        const known = this.readers.get(tensor);
        if (known === undefined) this.readers.set(tensor, [operator]);
        else if (known.at(-1) !== operator) known.push(operator);
      }
    }
    for (const [traced, operator] of built.operatorOf) {
      const modules = modulesAround(traced);
      this.modulesOf.set(operator, modules);
      for (const module of modules) {
        const known = this.byModule.get(module);
        if (known === undefined) this.byModule.set(module, [operator]);
        else known.push(operator);
      }
    }
  }

  /** The tensor of the graph that the run made. */
  idOf(tensor: TracedTensor | undefined): TensorId | undefined {
    return tensor && this.ids.get(tensor);
  }

  /** The operators that a module runs, or a module inside it, in order. */
  of(module: InstanceValue): readonly Operator[] {
    return this.byModule.get(module) ?? [];
  }

  /** Whether an operator is run by a module, or by one inside it. */
  isIn(operator: Operator, module: InstanceValue): boolean {
    return this.modulesOf.get(operator)?.has(module) === true;
  }

  /** The tensors of a module that are read outside of it, or that nothing reads. */
  resultsOf(module: InstanceValue): readonly TensorId[] {
    const made = new Set(
      this.of(module).flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)),
    );
    const isRead = (tensor: TensorId) =>
      this.readersOf(tensor).some((reader) => !this.isIn(reader, module));
    return [...made].filter((tensor) => isRead(tensor) || this.isResult(tensor));
  }

  tensor(id: TensorId): Tensor | undefined {
    return this.tensors.get(id);
  }

  /** The operator that makes a tensor; `undefined` for inputs and parameters. */
  makerOf(id: TensorId): Operator | undefined {
    return this.makers.get(id);
  }

  /** The operators that read a tensor, in order. */
  readersOf(id: TensorId): readonly Operator[] {
    return this.readers.get(id) ?? [];
  }

  /** Whether a tensor is a result of the program. */
  isResult(id: TensorId): boolean {
    return this.results.has(id);
  }
}

function modulesAround({ frames, layer }: TracedOperator): ReadonlySet<InstanceValue> {
  const around = frames.flatMap(({ receiver }) =>
    receiver?.kind === "instance" ? [receiver] : [],
  );
  return new Set(layer === undefined ? around : [...around, layer]);
}
