// Rows sorted by expert: split by the experts' token counts, and joined again.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, HostType, Value } from "#language/python";
import { expertFacts } from "../graph/expert-facts.ts";
import type { Recorder } from "../trace/recorder.ts";
import { knownSize } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import { callEntry } from "./library-calls.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integer } from "./values/values.ts";

/** Rows of all experts, equally many for each. */
export class ExpertParts {
  private readonly recorder: Recorder;
  private readonly words: TensorCalls;
  private readonly partType: HostType;
  /** Lists of token counts per expert. */
  private readonly counts = new WeakSet<Value>();
  /** Whether the results of rounds are being joined now. */
  private joining = false;

  constructor(recorder: Recorder, words: TensorCalls) {
    this.recorder = recorder;
    this.words = words;
    this.partType = expertPartType(this);
  }

  /**
   * Token counts of all experts, assumed equal, as a Python list. `undefined` when the tensor holds
   * no such counts.
   */
  countsOf(value: Value): Value | undefined {
    const tensor = this.words.tensorOf(value);
    const facts = tensor && expertFacts(tensor);
    const [length, ...others] = tensor?.shape?.map(knownSize) ?? [];
    if (facts === undefined || others.length > 0 || length !== facts.experts) return undefined;
    const count = integer(Math.ceil(facts.choices / facts.experts));
    const list: Value = { kind: "list", items: Array.from({ length }, () => count) };
    this.counts.add(list);
    return list;
  }

  /**
   * Rows split by the token counts of all experts, one part per expert. `undefined` for other
   * splits.
   */
  partsOf(value: Value, sizes: Value | undefined, at: At): Value | undefined {
    const shape = this.words.tensorOf(value)?.shape?.map(knownSize) ?? [];
    const [rows = 0, ...rest] = shape;
    const experts = sizes?.kind === "list" && this.counts.has(sizes) ? sizes.items.length : 0;
    if (experts === 0 || rows % experts !== 0) return undefined;
    this.words.experts.sayEqualLoads(at.context, at.span);
    const whole = this.inParts(
      value,
      [experts, rows / experts, ...rest.map((each) => each ?? 1)],
      at,
    );
    if (whole === undefined) return undefined;
    const items = Array.from(
      { length: experts },
      (_, index): Value => ({
        ...{ kind: "host", type: this.partType },
        data: { whole, index },
      }),
    );
    return { kind: "list", items };
  }

  /** The rows of one expert as a tensor. Leaves the first round of a loop over experts. */
  partAlone(self: HostObject, at: At): HostObject {
    this.words.experts.leaveRound();
    if (!isExpertPart(self)) return self;
    const { whole, index } = self.data;
    const made = callEntry(this.words, "select", [this.words.object(whole)], { dim: 0, index }, at);
    return made.kind === "host" ? made : self;
  }

  /**
   * `rows[start:end]` with bounds computed from the round's token counts: the rows of the round's
   * expert. `undefined` for other slices.
   */
  sliceOfRound(value: Value, key: Value, at: At): Value | undefined {
    const { rounds } = this.recorder;
    const stop = key.kind === "slice" ? this.words.tensorOf(key.stop) : undefined;
    if (rounds === undefined || stop === undefined || !rounds.has(stop)) return undefined;
    const shape = this.words.tensorOf(value)?.shape?.map(knownSize) ?? [];
    const [rows = 0, ...rest] = shape;
    if (rows % rounds.size !== 0) return undefined;
    this.words.experts.sayEqualLoads(at.context, at.span);
    const sizes = [rounds.size, rows / rounds.size, ...rest.map((each) => each ?? 1)];
    const whole = this.inParts(value, sizes, at);
    return whole && this.words.experts.inRound(whole);
  }

  /** The results of all rounds, concatenated; `undefined` for anything else. */
  joinedRounds(values: readonly Value[], at: At): Value | undefined {
    const [only, ...others] = values;
    const tensor = this.words.tensorOf(only);
    const isOwn = tensor !== undefined && this.recorder.roundsOwn.has(tensor);
    if (!isOwn || only === undefined || others.length > 0 || this.words.experts.areGrouped)
      return undefined;
    const [experts = 1, rows = 1, ...rest] = tensor.shape?.map(knownSize) ?? [];
    const whole = this.inParts(only, [experts * rows, ...rest.map((each) => each ?? 1)], at);
    return whole && this.words.object(whole);
  }

  /**
   * Whether a tensor is a result of a single round that is read outside the loop without being
   * joined.
   */
  isLeftOver(value: Value): boolean {
    const tensor = this.recorder.roundsOwn.size === 0 ? undefined : this.words.tensorOf(value);
    return (
      tensor !== undefined &&
      !this.joining &&
      !this.words.experts.areGrouped &&
      this.recorder.roundsOwn.has(tensor)
    );
  }

  /** Reports that one round's result is read after the loop; the value becomes unknown. */
  sayLeftOver(value: Value, { context, span }: At): Value {
    context.report({
      code: "document/unknown-value",
      severity: "warning",
      message:
        "this reads what a loop over experts has made in one of its rounds, which run as one here: the result, and what follows from it, is not known",
      span,
    });
    return this.words.unknownResult("getitem", [value], context, span);
  }

  private inParts(value: Value, shape: readonly number[], at: At): TracedTensor | undefined {
    this.joining = true;
    const made = callEntry(this.words, "reshape", [value], { shape }, at);
    this.joining = false;
    return this.words.tensorOf(made);
  }
}

/** Rows of one expert, as a split by the experts' token counts gives them. */
export interface ExpertPart extends HostObject {
  readonly data: { readonly whole: TracedTensor; readonly index: number };
}

const partName = "rows of an expert";

export function isExpertPart(value: Value | undefined): value is ExpertPart {
  return value?.kind === "host" && value.type.name === partName;
}

/** Host type of one expert's rows, which become a tensor at their first use. */
function expertPartType(parts: ExpertParts): HostType {
  const own = (self: HostObject, context: Context, span: Span) =>
    parts.partAlone(self, { context, span });
  return {
    name: partName,
    attribute: (self, name, context, span) =>
      context.getAttribute(own(self, context, span), name, span),
    binary: (self, operator, other, reflected, context, span) => {
      const tensor = own(self, context, span);
      return tensor.type.binary?.(tensor, operator, other, reflected, context, span);
    },
    item: (self, key, context, span) => {
      const tensor = own(self, context, span);
      return tensor.type.item?.(tensor, key, context, span);
    },
    text: () => partName,
  };
}
