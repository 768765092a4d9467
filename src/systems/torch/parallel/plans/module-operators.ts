import type { Operator, TensorId } from "#core/ir";
import { tensorId } from "#core/ir";
import type { BuiltGraph, TracedOperator, TracedTensor } from "#language/document/bindings";
import type { InstanceValue } from "#language/python";

/** The operators of a graph by the modules that run them, and its tensors by those of the run. */
export class ModuleOperators {
  readonly built: BuiltGraph;
  private readonly ids: ReadonlyMap<TracedTensor, TensorId>;
  private readonly byModule = new Map<InstanceValue, Operator[]>();
  private readonly modulesOf = new Map<Operator, ReadonlySet<InstanceValue>>();

  constructor(built: BuiltGraph) {
    this.built = built;
    this.ids = new Map([...built.tracedBy].map(([name, traced]) => [traced, tensorId(name)]));
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

  /** What a module makes that is read outside of it, or that nothing reads. */
  resultsOf(module: InstanceValue): readonly TensorId[] {
    const made = new Set(
      this.of(module).flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)),
    );
    const { operators, outputs } = this.built.graph;
    const outside = operators.filter((operator) => !this.isIn(operator, module));
    const read = new Set(outside.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
    return [...made].filter((tensor) => read.has(tensor) || outputs.includes(tensor));
  }
}

function modulesAround({ frames, layer }: TracedOperator): ReadonlySet<InstanceValue> {
  const around = frames.flatMap(({ receiver }) =>
    receiver?.kind === "instance" ? [receiver] : [],
  );
  return new Set(layer === undefined ? around : [...around, layer]);
}
