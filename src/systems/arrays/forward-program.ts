import { type Operator, type OperatorId, type Tensor, tensorsById } from "#core/ir";
import type { Layout } from "#core/mesh";
import {
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
} from "#core/program";
import { type MeshAtoms, meshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import { checkEven, meshOf, meshPartsOf } from "./program-facts.ts";

/** The forward operators of a program, for engines that derive the backward ones themselves. */
export class ForwardProgram {
  readonly program: SpmdProgram;
  readonly mesh: MeshAtoms;
  readonly given: ReadonlyMap<string, Tensor>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly steps: ReadonlyMap<OperatorId, LocalStep>;

  constructor(program: SpmdProgram) {
    this.program = program;
    this.mesh = meshAtoms(meshOf(program), meshPartsOf(program));
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.given = tensorsById(program.graph);
    const steps = flatSteps(program).filter((step) => step.kind === "local");
    this.steps = new Map(steps.map((step) => [step.operator, step]));
  }

  /** @throws NotWritten when the program has no forward operators */
  operators(): readonly Operator[] {
    const { operators } = this.program.graph;
    const forward = operators.filter(({ phase = "forward" }) => phase === "forward");
    if (forward.length === 0) throw new NotWritten("the program computes nothing");
    return forward;
  }

  /** @throws NotWritten for an operator without a step, or one that runs unverified */
  stepOf({ id, name }: Operator): LocalStep {
    const step = this.steps.get(id);
    if (step === undefined) throw new NotWritten(`${name} is not run`);
    if (step.unverified !== undefined) throw new NotWritten(`${name} runs as it is given`);
    return step;
  }

  valueOf(id: ValueId | undefined): Value {
    const value = this.valueAt(id);
    if (value === undefined) throw new NotWritten(`there is no value ${id}`);
    return value;
  }

  valueAt(id: ValueId | undefined): Value | undefined {
    return id === undefined ? undefined : this.values.get(id);
  }

  tensorOf(id: Tensor["id"] | undefined): Tensor {
    const tensor = this.given.get(id ?? "");
    if (tensor === undefined) throw new NotWritten("an operand is no tensor");
    return tensor;
  }

  /**
   * The layout in which an operator reads an operand, without partial sums; its blocks must be
   * even.
   *
   * @param partial called with the name of an operand that is held as partial sums
   */
  layoutRead(operator: Operator, id: ValueId, at: number, partial: (name: string) => void): Layout {
    const { layout, tensor, held } = this.valueOf(id);
    const { name = tensor, shape = [] } = this.given.get(tensor) ?? {};
    if (held !== undefined || operator.inputs[at]?.projection !== undefined)
      throw new NotWritten(`${operator.name} reads windows of ${name}`);
    if (layout.partials.length > 0) partial(name);
    checkEven(layout, shape, name);
    return { ...layout, partials: [] };
  }
}

/** The role of a tensor in the written module. */
export function roleOf({ producer, role }: Tensor): "input" | "parameter" | "activation" {
  if (producer !== undefined) return "activation";
  return role === "parameter" ? "parameter" : "input";
}
