import type { InstanceValue, Value } from "#language/python";
import type { Recorder } from "../trace/recorder.ts";
import { knownSize } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import { callEntry } from "./library-calls.ts";
import { deepCopy } from "./module-copy.ts";
import { rowFrom } from "./picked-row.ts";
import type { TensorCalls } from "./tensor-calls.ts";

/** Modules and tensors of all experts, represented by one stacked instance of each. */
export class StackedExperts {
  private readonly recorder: Recorder;
  private readonly words: TensorCalls;
  /** Stacked tensors of a list of equal experts, by the first expert's tensor. */
  private readonly stacks = new Map<TracedTensor, TracedTensor>();
  /** Callback for each copy of a module that represents all experts, or of one inside it. */
  noteCopy: (made: InstanceValue, of: InstanceValue) => void = () => undefined;
  /** Modules that represent all experts, by the first expert's module. */
  readonly copies = new Map<InstanceValue, InstanceValue>();

  constructor(recorder: Recorder, words: TensorCalls) {
    this.recorder = recorder;
    this.words = words;
  }

  /**
   * One module or tensor for a list of equal experts: each weight is stacked over all experts.
   * `undefined` when they differ.
   */
  stacked(values: readonly Value[], at?: At): Value | undefined {
    const [first] = values;
    if (first?.kind === "host" && this.words.tensorOf(first) !== undefined) {
      const tensors = values.flatMap((each) => this.words.tensorOf(each) ?? []);
      if (tensors.length !== values.length) return undefined;
      const isMade = tensors.some(({ producer }) => producer !== undefined);
      const whole =
        this.rowsOfOne(tensors) ??
        (isMade ? at && this.stackedUp(tensors, at) : this.stackOf(tensors));
      return whole && this.words.experts.inRound(whole);
    }
    if (first?.kind !== "instance") return undefined;
    const held = values.map((each) => this.tensorsIn(each));
    const own = held[0] ?? [];
    const stacks = own.map((_, at) => this.stackOf(held.flatMap((each) => each[at] ?? [])));
    const isAlike = held.every((each) => each.length === own.length);
    if (!isAlike || stacks.includes(undefined)) return undefined;
    const stackFor = new Map(own.map((tensor, at) => [tensor, stacks[at]]));
    return this.copied(first, (tensor) => stackFor.get(tensor));
  }

  private copied(
    first: InstanceValue,
    stackFor: (tensor: TracedTensor) => TracedTensor | undefined,
  ): Value {
    return deepCopy(first, {
      isModule: (value) => value.kind === "instance",
      noteCopy: (made, of) => {
        this.copies.set(made, of);
        this.noteCopy(made, of);
      },
      tensor: (value) => {
        const tensor = this.words.tensorOf(value);
        const stack = tensor && stackFor(tensor);
        return stack === undefined ? value : this.words.experts.inRound(stack);
      },
    });
  }

  /** The parameters and buffers of a module, in order. */
  private tensorsIn(module: Value): readonly TracedTensor[] {
    const found: TracedTensor[] = [];
    const tensor = (value: Value) => {
      const each = this.words.tensorOf(value);
      if (each !== undefined && !found.includes(each)) found.push(each);
      return value;
    };
    deepCopy(module, {
      isModule: (value) => value.kind === "instance",
      noteCopy: () => undefined,
      tensor,
    });
    return found;
  }

  /**
   * The tensor whose consecutive rows are the given tensors; its row selections are removed.
   * `undefined` for other tensors.
   */
  private rowsOfOne(tensors: readonly TracedTensor[]): TracedTensor | undefined {
    const from = tensors.map((each) => rowFrom(each));
    const whole = from[0]?.whole;
    if (whole === undefined || from.some((each, at) => each?.whole !== whole || each.at !== at))
      return undefined;
    const [length] = whole.shape ?? [];
    if (length === undefined || knownSize(length) !== tensors.length) return undefined;
    for (const each of from.flatMap((row) => row?.makers ?? [])) this.words.experts.takeBack(each);
    return whole;
  }

  /** Tensors computed by the program, combined by a `stack` operator. */
  private stackedUp(tensors: readonly TracedTensor[], at: At): TracedTensor | undefined {
    const list: Value = { kind: "list", items: tensors.map((each) => this.words.object(each)) };
    const made = callEntry(this.words, "stack", [list], { dim: 0 }, at);
    return this.words.tensorOf(made);
  }

  /**
   * One parameter with a leading dim of experts, in place of the experts' own parameters;
   * `undefined` when shapes differ.
   */
  private stackOf(tensors: readonly TracedTensor[]): TracedTensor | undefined {
    const [first] = tensors;
    if (first === undefined || tensors.length !== this.recorder.rounds?.size) return undefined;
    const known = this.stacks.get(first);
    if (known !== undefined) return known;
    const shapes = tensors.map(({ shape }) => shape?.map(knownSize).join());
    if (first.shape === undefined || shapes.some((each) => each !== shapes[0])) return undefined;
    const { producer, ...rest } = first;
    if (producer !== undefined) return undefined;
    const stack: TracedTensor = {
      ...rest,
      name: undefined,
      shape: [tensors.length, ...first.shape],
    };
    this.recorder.trace.stacks.set(stack, tensors);
    this.stacks.set(first, stack);
    return stack;
  }
}
