import type { Diagnostic } from "#core/diagnostics";
import {
  callOf,
  entryOf,
  type Gradient,
  type GradientOperand,
  type GradientStep,
  gradientOf,
  type Operand,
  type Operator,
  type TensorId,
} from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import type { Contribution, Gradients } from "./gradients.ts";
import { bindNewCall } from "./new-call.ts";
import type { Saved } from "./recompute.ts";
import { tensorsWithGradient } from "./tensors-with-gradient.ts";
import { leftLayout, type TrainingGraphBuilder } from "./training-graph-builder.ts";

/** Passes gradients back through the operators of a graph, one operator after the other. */
export class Backward {
  readonly diagnostics: Diagnostic[] = [];
  private readonly draft: TrainingGraphBuilder;
  private readonly gradients: Gradients;
  private readonly saved: Saved;
  private readonly needed: ReadonlySet<TensorId>;

  constructor(draft: TrainingGraphBuilder, gradients: Gradients, saved: Saved) {
    this.draft = draft;
    this.gradients = gradients;
    this.saved = saved;
    this.needed = tensorsWithGradient(draft.graph);
  }

  /** Adds the gradients of an operator's operands, if one of its results has a gradient. */
  pass(operator: Operator): void {
    if (!operator.outputs.some(({ tensor }) => this.gradients.has(tensor))) return;
    const call = callOf(operator, (tensor) => this.draft.tensorOf(tensor).shape);
    const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
    const byPosition = gradientOf(operator, call);
    const targets = operator.inputs.map((operand, index) => ({
      operand,
      steps: byPosition[positions[index] ?? -1] ?? [],
    }));
    const wanted = targets.filter(({ operand }) => this.needed.has(operand.tensor));
    if (wanted.length > 0 && wanted.every(({ steps }) => steps.length === 0)) {
      this.diagnostics.push(withoutGradient(operator));
    }
    for (const { operand, steps } of wanted) this.contribute(operator, operand, steps, positions);
  }

  /** Runs the steps of one operand's gradient and notes the result. */
  private contribute(
    operator: Operator,
    operand: Operand,
    steps: Gradient,
    positions: readonly number[],
  ): void {
    const results: Contribution[] = [];
    const resolve = ({ from, index }: GradientOperand): TensorId | undefined => {
      if (from === "step") return results[index]?.tensor;
      if (from === "input") {
        return this.savedOf(operator.inputs[positions.indexOf(index)]);
      }
      const output = operator.outputs[index];
      if (from === "output") return this.savedOf(output);
      return output && this.gradients.total(output.tensor).tensor;
    };
    for (const step of steps) {
      const read = step.operands.map((each) => {
        const tensor = resolve(each);
        if (tensor === undefined) throw new Error(`no ${each.from} of ${operator.name}`);
        return tensor;
      });
      const made = this.addStep(operator, operand, step, read, steps.length === 1);
      if (made === undefined) return;
      results.push(made);
    }
    const last = results.at(-1);
    if (last !== undefined) this.gradients.contribute(operand.tensor, last);
  }

  private savedOf(operand: Operand | undefined): TensorId | undefined {
    return operand && this.saved.read(operand.tensor);
  }

  /**
   * One operator of a gradient. Where it keeps the identifiers of its forward operator it is split
   * as that one is; so a cut of an identifier that the target lacks leaves its gradient partial
   * (planner.md §6.1), and no kind of parallelism needs a rule of its own. Undefined where the
   * product of a registered function has no such operator.
   */
  private addStep(
    forward: Operator,
    target: Operand,
    step: GradientStep,
    inputs: readonly TensorId[],
    isOnly: boolean,
  ): Contribution | undefined {
    const entry = entryOf(step.op);
    if (entry === undefined) throw new Error(`the library has no "${step.op}"`);
    const like = this.draft.tensorOf(target.tensor);
    const call = bindNewCall(
      {
        entry,
        inputs: inputs.map((id) => this.draft.tensorOf(id)),
        attributes: step.attributes,
        ...(step.annotation !== undefined && { annotation: step.annotation }),
        phase: "backward",
        givesScalars: like.shape.length === 0,
        of: forward,
      },
      this.draft.calls,
    );
    if (call === undefined) return undefined;
    const [shape = like.shape] = call.shapes;
    const result = this.draft.addTensor(`${like.name}.grad`, like, {
      role: "gradient",
      shape,
      gradientOf: like.id,
    });
    const operator = call.operator([result.id]);
    const plan =
      step.annotation === undefined
        ? this.splitAlong(forward, target, operator, isOnly)
        : this.splitLike(forward, operator);
    this.draft.add(operator, plan);
    const [output] = operator.outputs;
    const layout = plan && output && leftLayout(operator, output, plan);
    return { tensor: result.id, layout };
  }

  /**
   * The cuts of the forward operator on the dims of an operand, on the same dims of its gradient: how
   * a gradient of one step is cut whose identifiers are its own.
   */
  private splitAlong(
    forward: Operator,
    target: Operand,
    backward: Operator,
    isOnly: boolean,
  ): OperatorPlan | undefined {
    const plan = this.draft.plans.get(forward.id);
    const [output] = backward.outputs;
    if (plan === undefined || output === undefined || !isOnly) return undefined;
    const cuts = output.dims.flatMap(({ splittable }, dim) => {
      const own = fieldOf(plan.strategy.cuts, target.dims[dim]?.splittable ?? "") ?? [];
      return splittable === undefined || own.length === 0 ? [] : [[splittable, own] as const];
    });
    const strategy = { cuts: Object.fromEntries(cuts), carry: [] };
    return { strategy, mesh: plan.mesh, status: "inferred" };
  }

  /** The cuts of the forward operator, on the identifiers that a gradient shares with it. */
  private splitLike(forward: Operator, backward: Operator): OperatorPlan | undefined {
    const plan = this.draft.plans.get(forward.id);
    if (plan === undefined) return undefined;
    const names = new Set(backward.axes.map(({ name }) => name));
    const cuts = Object.entries(plan.strategy.cuts).filter(([name]) => names.has(name));
    return {
      strategy: { cuts: Object.fromEntries(cuts), carry: [] },
      mesh: plan.mesh,
      status: "inferred",
    };
  }
}

/** Says that no gradient flows through an operator. */
export function withoutGradient(operator: Operator): Diagnostic {
  return {
    code: "training/no-gradient",
    severity: "warning",
    message: `no gradient flows through "${operator.name}": ${operator.op} has no derivative here, so what stands before it is not trained by this path`,
    ...(operator.span !== undefined && { span: operator.span }),
  };
}
