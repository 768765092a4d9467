import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type { Argument, Context, Value } from "#language/python";
import type { Recorder } from "../recorder.ts";
import { freshSize } from "../size.ts";
import type { TracedTensor } from "../trace.ts";
import { type Assumed, assumedValue } from "./assumed.ts";
import type { TensorWords } from "./tensors.ts";
import { itemsOf } from "./values.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Who does not know a function: nnScaler, or this reading of MindSpore. */
type BoxWarning = "nnscaler" | "mindspore";

const warnings: Readonly<Record<BoxWarning, string>> = {
  nnscaler: "nnscaler/unknown-function",
  mindspore: "mindspore/unknown-operator",
};

type CallRegistered = (
  assumed: Assumed,
  args: readonly Argument[],
  context: Context,
  span: Span,
) => Value | undefined;

/** Functions that nobody can look into: one operator that runs whole on every device. */
export class Boxes {
  private readonly recorder: Recorder;
  private readonly tensors: TensorWords;
  private readonly warned = new Set<string>();

  private readonly registered: CallRegistered;

  /** @param registered calls something assumed that the text has registered as an operator */
  constructor(recorder: Recorder, tensors: TensorWords, registered: CallRegistered) {
    this.recorder = recorder;
    this.tensors = tensors;
    this.registered = registered;
  }

  /** A name that the text does not define. */
  assumed(name: string, isStandIn = false): Value {
    return assumedValue(name, {
      isStandIn,
      call: (self, args, context, span) => {
        const registered = this.registered(self, args, context, span);
        if (registered !== undefined) return registered;
        return (
          this.call(self.name, args, context, span) ??
          this.assumed(`${self.name}()`, self.isStandIn)
        );
      },
      operate: (operator, operands, context, span) => {
        const entry = operator === "@" ? library.get("matmul") : undefined;
        const args = operands.map((value) => ({ value, span }));
        const style = { op: "matmul", reducesInside: false };
        return entry && this.tensors.call(entry, style, args, context, span);
      },
    });
  }

  /** Calls an unknown function; its result is like its first tensor, if it is given one. */
  call(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
    says: BoxWarning | "silent" = "nnscaler",
  ): Value | undefined {
    const values = args.flatMap(({ value }) => itemsOf(value) ?? [value]);
    const given = values.map((value) => this.tensors.tensorOf(value));
    const inputs = given.filter((tensor) => tensor !== undefined);
    if (inputs.length === 0) return undefined;
    this.recorder.refuse(`it calls "${name}", which is not known here`, context, span);
    if (says !== "silent") this.warn(name, context, span, says);
    const op = name.split(".").at(-1) ?? name;
    const annotations = [{ text: frozenAnnotation(inputs) }];
    const base = { op, stem: op, annotations, inputs, integers: {}, linear: [] };
    const results = this.recorder.call(
      { ...base, reducesInside: false, isReplicated: true, span },
      context,
    );
    return this.tensors.result(results);
  }

  /** Says once of each function that a system, or this reading, does not know how it splits. */
  warn(name: string, context: Context, span: Span, says: BoxWarning = "nnscaler"): void {
    if (this.warned.has(name)) return;
    this.warned.add(name);
    const message =
      says === "nnscaler"
        ? `nnScaler does not know "${name}": it is replicated on every device; register a function around it to say how it splits`
        : `"${name}" is not known here: it is drawn whole on every device`;
    context.report({ code: warnings[says], severity: "warning", message, span });
  }
}

/** Every dim frozen; the result is shaped like the first tensor. */
function frozenAnnotation(inputs: readonly TracedTensor[]): string {
  let used = 0;
  const shapes = inputs.map((tensor) => {
    tensor.shape ??= [freshSize(), freshSize()];
    return tensor.shape.map(() => `${letterAt(used++)}^`).join(" ") || "1";
  });
  return `${shapes.join(", ")} -> ${shapes[0] ?? ""}`;
}

function letterAt(index: number): string {
  return letters[index] ?? `d${index}`;
}
