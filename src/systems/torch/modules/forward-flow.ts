import {
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { type Layout, sameLayout } from "#core/mesh";
import { flatSteps, type LocalStep, type SpmdProgram, valuesById } from "#core/program";
import { NotWritten, type TextModules } from "#systems/arrays";

/** One operand that an operator of the forward pass reads, or the end of the program. */
export interface Read {
  readonly operator: Operator;
  /** The module in which it is read; undefined outside of the model. */
  readonly path: string | undefined;
  readonly layout: Layout;
}

/** The forward pass of a model, by its modules: who makes and reads what, and how it lies there. */
export class ForwardFlow {
  readonly steps: readonly LocalStep[];
  readonly tensors: ReadonlyMap<TensorId, Tensor>;
  readonly reads = new Map<TensorId, Read[]>();
  readonly producers = new Map<TensorId, LocalStep>();
  /** Tensors that follow from a parameter, through which gradients pass. */
  readonly trained = new Set<TensorId>();
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly layouts: ReadonlyMap<TensorId, Layout>;
  readonly modules: TextModules;

  constructor(program: SpmdProgram, modules: TextModules) {
    this.modules = modules;
    this.operators = operatorsById(program.graph);
    this.tensors = tensorsById(program.graph);
    const values = valuesById(program);
    const layoutOf = (id: LocalStep["inputs"][number]) => {
      const value = values.get(id);
      if (value === undefined) throw new NotWritten(`there is no value ${id}`);
      return value.layout;
    };
    const layouts = new Map([...program.made].map(([tensor, id]) => [tensor, layoutOf(id)]));
    this.layouts = layouts;
    this.steps = flatSteps(program).filter(
      (step): step is LocalStep => step.kind === "local" && step.phase === "forward",
    );
    for (const step of this.steps) this.note(step, step.inputs.map(layoutOf));
    for (const step of this.steps) {
      const { entry, outputs } = this.operatorOf(step);
      if (entry !== "expand") continue;
      for (const { tensor } of outputs) {
        const own = this.readLayout(tensor);
        if (own !== undefined) layouts.set(tensor, own);
      }
    }
  }

  /**
   * How all readers have a tensor, where they have it alike: a rank that repeats something as often as
   * its own sizes say makes no more of it.
   */
  private readLayout(id: TensorId): Layout | undefined {
    const [first, ...others] = this.readsInside(id).map(({ layout }) => layout);
    const isSame = first !== undefined && others.every((each) => sameLayout(each, first));
    return isSame && first.partials.length === 0 ? first : undefined;
  }

  private note(step: LocalStep, layouts: readonly Layout[]): void {
    const operator = this.operatorOf(step);
    const path = this.pathOf(operator);
    if (operator.outputs.some(({ tensor }) => this.tensors.get(tensor)?.castOf !== undefined))
      return;
    let isTrained = false;
    for (const [at, tensor] of this.inputsOf(operator).entries()) {
      const layout = layouts[at];
      if (layout === undefined) continue;
      const list = this.reads.get(tensor) ?? [];
      list.push({ operator, path, layout });
      this.reads.set(tensor, list);
      isTrained ||= this.trained.has(tensor) || this.tensors.get(tensor)?.role === "parameter";
    }
    const isEnded = operator.endsGradient === true;
    for (const { tensor } of operator.outputs) {
      this.producers.set(tensor, step);
      if (isTrained && !isEnded) this.trained.add(tensor);
    }
  }

  operatorOf({ operator }: LocalStep): Operator {
    const found = this.operators.get(operator);
    if (found === undefined) throw new NotWritten(`there is no operator ${operator}`);
    return found;
  }

  /** The inputs of an operator; for the cast copy of a parameter, the parameter itself. */
  inputsOf({ inputs }: Operator): readonly TensorId[] {
    return inputs.map(({ tensor }) => this.tensors.get(tensor)?.castOf ?? tensor);
  }

  /** The module that runs an operator, or a stage of one; undefined outside of the model. */
  pathOf({ id }: Operator): string | undefined {
    const { pathOf } = this.modules;
    return pathOf.get(id) ?? this.baseOf(id);
  }

  private baseOf(id: OperatorId): string | undefined {
    const at = id.lastIndexOf(".");
    const base = this.operators.get(id.slice(0, Math.max(0, at)) as OperatorId);
    return base === undefined ? undefined : this.modules.pathOf.get(base.id);
  }

  /** Whether an operator is a stage of an operator whose inner axis is cut. */
  isStage({ id }: Operator): boolean {
    return !this.modules.pathOf.has(id) && this.baseOf(id) !== undefined;
  }

  /** Whether a tensor is the divisor of a mean loss: the number of targets that count. */
  isCount(id: TensorId): boolean {
    const step = this.producers.get(id);
    const operator = step && this.operatorOf(step);
    const isTable = operator !== undefined && this.isStage(operator);
    return isTable && operator.op.endsWith(".count") && this.tensor(id).shape.length === 0;
  }

  tensor(id: TensorId): Tensor {
    const found = this.tensors.get(id);
    if (found === undefined) throw new NotWritten(`there is no tensor ${id}`);
    return found;
  }

  /** How a tensor lies where it is made, or at rest. */
  madeLayout(id: TensorId): Layout {
    const found = this.layouts.get(id);
    if (found === undefined) throw new NotWritten(`nobody makes ${this.tensor(id).name}`);
    return found;
  }

  /**
   * The path of the module that makes a tensor; `undefined` for inputs of the model, and outside of
   * it.
   */
  madeIn(id: TensorId): string | undefined {
    const step = this.producers.get(id);
    return step && this.pathOf(this.operatorOf(step));
  }

  /** Who reads a tensor inside the model. */
  readsInside(id: TensorId): readonly Read[] {
    return (this.reads.get(id) ?? []).filter(({ path }) => path !== undefined);
  }
}

/** Whether a module is another one, or stands inside it. */
export function isWithin(path: string, around: string): boolean {
  return around === "" || path === around || path.startsWith(`${around}.`);
}

/** The name of a parameter as the state dict of the model has it. */
export function dottedName(name: string): string {
  return name.replace(/\[(\d+)\]/g, ".$1");
}

/** A path for all elements of lists: `blocks.*.attn`. */
export function patternOf(path: string): string {
  return path
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? "*" : part))
    .join(".");
}
