import type { Diagnostic } from "#core/diagnostics";
import {
  entryOf,
  type Gradient,
  type GradientOperand,
  type GradientStep,
  type Operand,
  type Operator,
  type TensorId,
} from "#core/ir";
import type { Layout } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import { EqualOperators } from "./equal-operators.ts";
import { typeOfStep } from "./gradient-types.ts";
import type { Contribution, Gradients } from "./gradients.ts";
import { bindNewCall, layoutPlan } from "./new-call.ts";
import type { Saved } from "./recompute.ts";
import { keepsOfCall } from "./saved-operands.ts";
import { parametersInOtherForms, tensorsWithGradient } from "./tensors-with-gradient.ts";
import { leftLayout, type TrainingGraphBuilder } from "./training-graph-builder.ts";
import { WholeBackward } from "./whole-backward.ts";

/** An operand with a gradient to make, and the gradient's steps. */
interface Target {
  readonly operator: Operator;
  readonly operand: Operand;
  readonly steps: Gradient;
  /** For each operand of the operator, its parameter in the library entry. */
  readonly positions: readonly number[];
  /** The number of the operator's gradients that one kernel makes, if it makes several. */
  readonly sharing: number;
}

/** Passes gradients back through the operators of a graph, one operator after the other. */
export class Backward {
  readonly diagnostics: Diagnostic[] = [];
  private readonly draft: TrainingGraphBuilder;
  private readonly gradients: Gradients;
  private readonly saved: Saved;
  private readonly equal: EqualOperators;
  private readonly needed: ReadonlySet<TensorId>;
  private readonly weights: ReadonlySet<TensorId>;
  /** The backward pass of operators known only by their shapes. */
  private readonly whole: WholeBackward;

  constructor(draft: TrainingGraphBuilder, gradients: Gradients, saved: Saved) {
    this.draft = draft;
    this.gradients = gradients;
    this.saved = saved;
    this.equal = new EqualOperators((id) => draft.tensorOf(id));
    this.needed = tensorsWithGradient(draft.graph);
    this.weights = parametersInOtherForms(draft.graph);
    this.whole = new WholeBackward(draft, gradients, (tensor) => saved.read(tensor));
  }

  /** Adds the gradients of an operator's operands, if one of its results has a gradient. */
  pass(operator: Operator): void {
    if (!operator.outputs.some(({ tensor }) => this.gradients.has(tensor))) return;
    if (operator.passesBack !== undefined) {
      this.whole.pass(operator);
      return;
    }
    const { call, positions, gradients } = this.equal.derived(operator);
    const targets = operator.inputs.map((operand, index) => ({
      operand,
      steps: gradients[positions[index] ?? -1] ?? [],
    }));
    const wanted = targets.filter(({ operand }) => this.needed.has(operand.tensor));
    if (wanted.length > 0 && wanted.every(({ steps }) => steps.length === 0)) {
      this.diagnostics.push(withoutGradient(operator));
    }
    const needsOwn = keepsOfCall(
      operator,
      () => call,
      (id) => this.needed.has(id),
    );
    this.saved.runFor(operator, needsOwn);
    const sharing = wanted.filter(({ steps }) => steps.at(-1)?.isOneKernel === true).length;
    for (const { operand, steps } of wanted) {
      this.contribute({ operator, operand, steps, positions, sharing });
    }
  }

  /**
   * Runs the steps of one operand's gradient and adds the result to its contributions, in the data
   * type of the operand.
   */
  private contribute(target: Target): void {
    const { operand, steps } = target;
    const results: Contribution[] = [];
    for (const step of steps) {
      const read = step.operands.map((each) => this.resolve(target, each, results));
      const made = this.addStep(target, step, read);
      if (made === undefined) return;
      results.push(made);
    }
    const last = results.at(-1);
    if (last === undefined) return;
    const like = this.draft.tensorOf(operand.tensor);
    const { dtype } = this.draft.tensorOf(last.tensor);
    const typed = dtype === like.dtype ? last : this.gradients.cast(like.id, last);
    this.gradients.contribute(operand.tensor, typed);
  }

  private resolve(
    { operator, positions }: Target,
    { from, index }: GradientOperand,
    results: readonly Contribution[],
  ): Contribution {
    const output = operator.outputs[index];
    if (from === "step" && results[index] !== undefined) return results[index];
    if (from === "gradient" && output !== undefined) return this.gradients.total(output.tensor);
    const read = from === "input" ? operator.inputs[positions.indexOf(index)] : output;
    if (read === undefined) throw new Error(`no ${from} of ${operator.name}`);
    return { tensor: this.saved.read(read.tensor), layout: undefined };
  }

  /**
   * Adds one operator of a gradient. If it keeps the identifiers of its forward operator, it gets
   * the same cuts. A cut of an identifier that the target lacks then leaves the gradient partial
   * (planner.md §6.1), so no kind of parallelism needs its own rule. `undefined` if the product of
   * a registered function has no such operator.
   *
   * A gradient that is passed unchanged becomes a cast if the operand has another data type.
   */
  private addStep(
    { operator: forward, operand: target, steps, sharing }: Target,
    step: GradientStep,
    read: readonly Contribution[],
  ): Contribution | undefined {
    const inputs = read.map(({ tensor }) => this.draft.tensorOf(tensor));
    const like = this.draft.tensorOf(target.tensor);
    const isCast = step.op === "identity" && inputs[0]?.dtype !== like.dtype;
    const entry = entryOf(isCast ? "cast" : step.op);
    if (entry === undefined) throw new Error(`the library has no "${step.op}"`);
    const call = bindNewCall(
      {
        entry,
        inputs,
        attributes: isCast ? { dtype: like.dtypeText } : step.attributes,
        ...(step.annotation !== undefined && { annotation: step.annotation }),
        phase: "backward",
        givesScalars: like.shape.length === 0,
        of: forward,
        ...(!isCast && { step }),
      },
      this.draft.calls,
    );
    if (call === undefined) return undefined;
    const [shape = like.shape] = call.shapes;
    const dtype = isCast ? like.dtype : typeOfStep(entry, inputs, like.dtype);
    const name = `${like.name}.grad${dtype === like.dtype ? "" : `.${dtype}`}`;
    const result = this.draft.addTensor(name, like, {
      role: "gradient",
      shape,
      ...(dtype !== like.dtype && { dtype }),
      gradientOf: like.id,
    });
    const made = call.operator([result.id]);
    const isShared = step.isOneKernel === true && sharing > 1;
    const operator = isShared ? { ...made, sharedBy: sharing } : made;
    const lies = this.weights.has(like.id) ? read[0]?.layout : undefined;
    const plan =
      (lies && this.passedOn(forward, operator, lies)) ??
      (step.annotation === undefined
        ? this.splitAlong(forward, target, operator, steps.length === 1)
        : this.splitLike(forward, operator));
    this.draft.add(operator, plan);
    const [output] = operator.outputs;
    const layout = plan && output && leftLayout(operator, output, plan);
    return { tensor: result.id, layout };
  }

  /**
   * Plan for a parameter's gradient through a cast or a reordering of dims, which keeps its layout
   * and its partial sums. So the gradient is combined once, in the parameter's type, when all
   * readers have contributed.
   */
  private passedOn(forward: Operator, backward: Operator, lies: Layout): OperatorPlan | undefined {
    if (backward.entry === "identity" || backward.entry === "cast") {
      return layoutPlan(backward, lies);
    }
    if (backward.entry !== "permute" && backward.entry !== "reshape") return undefined;
    const plan = this.splitLike(forward, backward);
    const used = JSON.stringify(Object.values(plan?.strategy.cuts ?? {}));
    const carry = lies.partials.map(({ part }) => part);
    if (plan === undefined || carry.some((part) => used.includes(JSON.stringify(part))))
      return plan;
    return { ...plan, strategy: { ...plan.strategy, carry } };
  }

  /**
   * The cuts of an operand's dims in the forward operator, for the same dims of its gradient: the
   * cuts of a gradient step whose identifiers are its own.
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

  /** The cuts of the forward operator, for the identifiers that a gradient shares with it. */
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

/** The remark that no gradient flows through an operator. */
export function withoutGradient(operator: Operator): Diagnostic {
  const isWanted = operator.endsGradient === true;
  const why = isWanted ? "the text ends gradients there" : `${operator.op} has no derivative here`;
  return {
    code: "training/no-gradient",
    severity: isWanted ? "info" : "warning",
    message: `no gradient flows through "${operator.name}": ${why}, so what stands before it is not trained by this path`,
    ...(operator.span !== undefined && { span: operator.span }),
  };
}
