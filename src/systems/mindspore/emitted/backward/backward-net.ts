import { product } from "#core/arithmetic";
import { bytesOf } from "#core/ir";
import { append } from "#core/records";
import { shapeOf, type TracedTensor } from "#language/document/trace";
import type { BackwardCollective } from "#systems/system";
import { redistributionFault } from "../../redistribution/check-tensor.ts";
import { stepsOfRank } from "../../redistribution/emitted.ts";
import { emittedPrimitives } from "../../redistribution/primitives.ts";
import type { TrainedStep } from "../../training/trained-step.ts";
import type { EmittedLayouts, LayoutEdge } from "../layouts.ts";
import { readsItself, unloaded } from "../memory-readers.ts";
import type { PlacedOperator } from "../placed-operators.ts";
import { isTransparent, type SameTensors, sourceOf } from "../transparent.ts";
import { asked } from "./asked-operators.ts";
import { copiesOf } from "./parameter-copies.ts";
import { givesZeros, isSmooth, passedBack, passesTo } from "./passed-back.ts";
import { type Slope, Slopes } from "./slope.ts";
import { TrainedFlow } from "./trained-flow.ts";
import { type PassedList, type TurnedStep, turnedLists, turnedStep } from "./turned-lists.ts";

/** The net of a training step, with the facts that its differentiation needs. */
export interface DifferentiatedNet extends TrainedStep {
  readonly placed: readonly PlacedOperator[];
  readonly layouts: EmittedLayouts;
  readonly same: SameTensors;
  /** Tensors in memory, which views or writes use. */
  readonly held: ReadonlySet<TracedTensor>;
  readonly rank: number;
  readonly devices: number;
  readonly allToAll: boolean;
  readonly nameOf: (tensor: TracedTensor | undefined) => string;
}

/** Backward collectives of a rank; `unknown` gives the reason if they are not known. */
export interface SentBackward {
  readonly collectives: readonly BackwardCollective[];
  readonly unknown?: string;
}

/**
 * The collectives of MindSpore's backward pass (mindspore.md §5.0). It differentiates the forward
 * graph including its communication, operator by operator from the loss, and sums the gradient of
 * each parameter once over all devices that hold the same slice.
 */
export function sentBackward(net: DifferentiatedNet): SentBackward {
  const pass = new BackwardNet(net);
  pass.run();
  return pass.unknown === undefined
    ? { collectives: pass.collectives }
    : { collectives: [], unknown: pass.unknown };
}

/** The gradient that one reader passes back to a tensor or to its cast. */
interface Contribution extends PassedList {
  readonly value: TracedTensor;
  /** Redistributions of Reshapes, and those of tensors in memory, are not merged with others. */
  readonly apart: "reshape" | "memory" | undefined;
}

class BackwardNet {
  readonly collectives: BackwardCollective[] = [];
  unknown: string | undefined;
  private readonly net: DifferentiatedNet;
  private readonly parts = new Map<TracedTensor, Contribution[]>();
  /** Numbers of the gradients that are zeros, for example behind a comparison. */
  private readonly zeros = new Set<number>();
  private readonly slopes = new Slopes();
  private readonly sent = new Set<number>();
  private readonly numbers = new Map<TracedTensor, number>();
  private readonly flow: TrainedFlow;

  constructor(net: DifferentiatedNet) {
    this.net = net;
    this.flow = new TrainedFlow(net);
  }

  run(): void {
    const { placed, loss, isSeedConstant: isConstant } = this.net;
    this.pass(loss, { list: [], elements: 0 }, this.slopes.of(["seed"], isConstant));
    for (const each of placed.toReversed()) if (!isTransparent(each.traced)) this.through(each);
    for (const tensor of this.parts.keys()) if (tensor.role === "parameter") this.sum(tensor);
  }

  /** Passes the gradients of an operator's results back to its operands. */
  private through(placed: PlacedOperator): void {
    const { traced } = placed;
    const slopes = traced.outputs.map((output) => this.total(output));
    const operands = traced.inputs.flatMap((input, at) =>
      input.kind === "tensor" && passesTo(placed, at) && this.flow.dependsOnTrained(input)
        ? [{ input, at }]
        : [],
    );
    if (operands.length === 0) return;
    if (slopes.every((each) => each === undefined)) return;
    if (!asked.has(placed.op)) {
      this.unknown ??= `what passes back through ${placed.op} was not asked of its compiler`;
      return;
    }
    if (placed.model === undefined) this.unknown ??= `how ${placed.op} is placed is not known`;
    const [first, ...others] = slopes;
    const given = [first && this.throughSums(placed, first, operands), ...others];
    const edges = this.net.layouts.edgesInto(traced);
    for (const { input, at } of operands) {
      const slope = this.passedTo(placed, at, given);
      const gathered = isGathering(placed) ? this.turned(placed, at, slope) : slope;
      const edge = edges.find((each) => each.at === at);
      this.pass(input, this.listOf(placed, edge), gathered, edge, this.apartOf(placed, input));
    }
  }

  /** The gradient passed back to an operand; zeros if it is not differentiable. */
  private passedTo(
    placed: PlacedOperator,
    at: number,
    given: readonly (Slope | undefined)[],
  ): Slope {
    const { traced, model } = placed;
    const input = traced.inputs[at];
    if (input?.kind === "tensor" && isSmooth(input) && !givesZeros(placed)) {
      return passedBack(placed, at, given, (each) => this.numberOf(each), this.slopes);
    }
    const zeros = this.slopes.of(["zeros", model?.inputSlices[at]]);
    this.zeros.add(zeros.number);
    return zeros;
  }

  /** Sets `unknown` if zeros would be all-reduced, since the compiler may fold that. */
  private checkZeros({ number }: Slope, what: string): void {
    if (this.zeros.has(number)) this.unknown ??= `zeros are summed up for ${what}`;
  }

  /** The gradient of a result before the operator's own forward collectives. */
  private throughSums(
    placed: PlacedOperator,
    given: Slope,
    operands: readonly { readonly at: number }[],
  ): Slope {
    const { op, model, traced } = placed;
    const { forward = [] } = op === "Reshape" || isGathering(placed) ? {} : (model ?? {});
    // RmsNorm's sum of squares concerns only the first operand.
    const isPassed = op !== "RmsNorm" || operands.some(({ at }) => at === 0);
    if (forward.length === 0 || !isPassed) return given;
    this.checkZeros(given, op);
    if (forward.length > 1) this.unknown ??= `${op} sends several times`;
    const isScalar = traced.outputs[0]?.shape?.length === 0;
    const isDivided = /^(ReduceMean|MeanExt)$/u.test(op) && !isScalar;
    const isConstant = isDivided ? false : given.isConstant;
    if (isConstant === undefined) {
      this.unknown ??= `whether the gradient of what ${op} sums up is a constant was not asked of its compiler`;
    }
    if (isConstant === true && forward[0]?.primitive === "AllReduce") {
      return this.slopes.of(["times", forward[0].group.length, given.number], true);
    }
    return this.turned(placed, 0, given);
  }

  /** The reverse of one of an operator's forward collectives. */
  private turned({ op, traced, model }: PlacedOperator, at: number, given: Slope): Slope {
    const step = model?.forward[at];
    if (model === undefined || step === undefined) return given;
    const { primitive, group } = step;
    const ranks = [...group].sort((a, b) => a - b);
    const { slope, sent } = turnedStep([primitive, ranks], given, this.slopes);
    // A product gathers its operand; the sum of an RmsNorm has the slice of its second result.
    const gathered = primitive === "AllGather" ? model.inputSlices[at] : undefined;
    const local = product(gathered ?? model.outputs[op === "RmsNorm" ? 1 : 0]?.slice ?? []);
    const elements = local * (primitive === "AllReduce" ? ringShare(ranks) : ranks.length - 1);
    const [output] = traced.outputs;
    if (sent !== undefined && this.flow.isUsed(output))
      this.send({ sent, ranks, slope, elements }, output);
    return slope;
  }

  private send(
    { sent, ranks, slope, elements }: TurnedStep,
    of: TracedTensor | undefined,
    why: BackwardCollective["why"] = "turned",
  ): void {
    if (this.sent.has(slope.number)) return;
    this.sent.add(slope.number);
    const bytes = elements * bytesOf(of?.dtype ?? "f32");
    this.collectives.push({ op: sent, tensor: this.net.nameOf(of), ranks, why, bytes });
  }

  /**
   * The redistribution primitives by which a reader gets an operand, and the number of local
   * elements before them.
   */
  private listOf(
    { op }: PlacedOperator,
    edge: LayoutEdge | undefined,
  ): Pick<PassedList, "list" | "elements"> {
    if (edge === undefined) return { list: [], elements: 0 };
    const { from, to } = edge;
    if (from.interleaved !== undefined || to.interleaved !== undefined) {
      this.unknown ??= `${op} runs in pieces inside each card`;
    }
    if (redistributionFault(from, to) !== undefined) return { list: [], elements: 0 };
    const { rank, allToAll, devices } = this.net;
    const { list, start } = stepsOfRank(from, to, rank, { allToAll, cleanUp: true });
    return { list: emittedPrimitives(list, start, devices), elements: product(start) };
  }

  private apartOf({ op, traced }: PlacedOperator, input: TracedTensor): Contribution["apart"] {
    if (op === "Reshape") return "reshape";
    const { held, same } = this.net;
    return readsItself(op, traced) && held.has(unloaded(input, same)) ? "memory" : undefined;
  }

  private pass(
    input: TracedTensor,
    list: Pick<PassedList, "list" | "elements">,
    slope: Slope,
    edge?: LayoutEdge,
    apart?: Contribution["apart"],
  ): void {
    const source = edge?.tensor ?? sourceOf(input, this.net.same);
    const value = edge?.value ?? this.first(input);
    append(this.parts, source, { ...list, slope, value, apart });
  }

  /** The gradient of a tensor; `undefined` if no reader passes one back. */
  private total(tensor: TracedTensor): Slope | undefined {
    const parts = this.parts.get(tensor);
    if (parts === undefined) return undefined;
    const values = new Map<string, Contribution[]>();
    for (const part of parts) {
      append(values, `${this.numberOf(part.value)} ${part.apart}`, part);
    }
    const slopes = [...values.values()].map((group) => {
      const value = group[0]?.value;
      const made = turnedLists(group, this.slopes, this.net.devices, (step) => {
        if (this.flow.isUsed(tensor)) this.send(step, value ?? tensor);
      });
      if (value === undefined || value === tensor) return made;
      return this.slopes.of(["cast", made.number], made.isConstant);
    });
    return this.slopes.sum(slopes);
  }

  /** Sums a parameter's gradient over the devices that hold the same slice. */
  private sum(parameter: TracedTensor): void {
    const total = this.total(parameter);
    const group = copiesOf(parameter, this.net);
    if (group === undefined) this.unknown ??= `how ${this.net.nameOf(parameter)} lies is not known`;
    if (total === undefined || group === undefined || group.length < 2) return;
    this.checkZeros(total, this.net.nameOf(parameter));
    const slope = this.slopes.of(["mirror", group, total.number]);
    const local = (product(shapeOf(parameter)) * group.length) / this.net.devices;
    const elements = local * ringShare(group);
    this.send({ sent: "AllReduce", ranks: group, slope, elements }, parameter, "gradient");
  }

  private first(tensor: TracedTensor): TracedTensor {
    return this.net.same.get(tensor) ?? tensor;
  }

  private numberOf(tensor: TracedTensor): number {
    const first = this.first(tensor);
    const number = this.numbers.get(first) ?? this.numbers.size;
    this.numbers.set(first, number);
    return number;
  }
}

/** Elements that each rank of a group receives in a ring all-reduce, per element of a block. */
function ringShare({ length }: readonly number[]): number {
  return (2 * (length - 1)) / length;
}

/** Whether a product gathers its operands instead of summing its result (mindspore.md §5.1). */
function isGathering({ op, model }: PlacedOperator): boolean {
  const { forward = [] } = model ?? {};
  return (
    op !== "Reshape" &&
    forward.length > 0 &&
    forward.every(({ primitive }) => primitive === "AllGather")
  );
}
