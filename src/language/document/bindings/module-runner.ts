import type { Span } from "#core/diagnostics";
import type {
  Argument,
  ClassValue,
  Context,
  FunctionValue,
  InstanceValue,
  Value,
} from "#language/python";
import type { ModuleHooks } from "./module-hooks.ts";
import { lacksSelf, madeBy, missingSelf, requireInputs, returnsNothing } from "./module-run.ts";
import type { TensorBindings } from "./tensors.ts";

/** Parts that a run of a module needs. */
interface RunParts {
  readonly tensors: TensorBindings;
  readonly hooks: ModuleHooks;
  /** The method that a call of a module runs. */
  readonly methodOf: (type: ClassValue) => string;
  readonly isCell: (type: ClassValue) => boolean;
  /** Reports a module that runs without having called its base's `__init__`. */
  readonly requireInit: (self: InstanceValue, context: Context) => void;
}

/** Runs the methods of modules, and marks the operators that library modules make as theirs. */
export class ModuleRunner {
  /** Nesting depth of module runs. */
  private running = 0;
  /** Methods already reported as returning nothing. */
  private readonly silent = new Set<FunctionValue>();
  private readonly parts: RunParts;

  constructor(parts: RunParts) {
    this.parts = parts;
  }

  /** Runs the method of a module. A method without `self` takes all its parameters as inputs. */
  run(self: InstanceValue, given: readonly Argument[], context: Context, span: Span): Value {
    const { tensors, isCell } = this.parts;
    const { made: operators } = tensors;
    const before = operators.length;
    this.running++;
    try {
      return this.runMethod(self, given, context, span);
    } finally {
      this.running--;
      if (!isOfText(self.type)) {
        for (const made of operators.slice(before)) {
          made.inside ??= self;
          if (this.running === 0 && isCell(self.type)) made.called = self;
        }
      }
    }
  }

  private runMethod(
    self: InstanceValue,
    given: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const { hooks, methodOf, requireInit, tensors } = this.parts;
    requireInit(self, context);
    const args = hooks.argumentsOf(self, given, context, span);
    hooks.runs.push({ module: self, args });
    const method = context.getAttribute(self, methodOf(self.type), span);
    const func = method.kind === "method" ? method.callee : undefined;
    if (func?.kind !== "function") {
      const given = context.call(method, args, span);
      return hooks.resultOf(self, args, given, context, span);
    }
    if (lacksSelf(func, self, context.source)) {
      context.report(missingSelf(func, self.type.name));
      return context.call(func, args, span);
    }
    requireInputs(func, args, context, span);
    const result = context.call(method, args, span);
    if (result.kind === "none") this.sayNothing(func, self, context);
    const made = madeBy(tensors, self.type.name, result, args, context, span);
    return hooks.resultOf(self, args, made, context, span);
  }

  /** Reports a method that returns nothing, once per method. */
  private sayNothing(func: FunctionValue, self: InstanceValue, context: Context): void {
    if (this.silent.has(func)) return;
    this.silent.add(func);
    const said = returnsNothing(func, self.type.name, context.source);
    if (said !== undefined) context.report(said);
  }
}

/** Whether the text defines a class, rather than a library module written in Python here. */
export function isOfText({ span }: ClassValue): boolean {
  return span !== undefined && span.from >= 0;
}
