import type { Span } from "#core/diagnostics";
import type { ClassValue, Context, InstanceValue, Value } from "#language/python";
import { lateInit, missingInit } from "./module-init.ts";
import { isOfText } from "./module-runner.ts";

/** What the checks of `__init__` ask of the modules. */
interface InitParts {
  /** Whether a value is a module or a parameter, which only a begun module can hold. */
  readonly isHeld: (value: Value) => boolean;
  /** The system that a module is of, by its title. */
  readonly systemOf: (module: InstanceValue) => string;
}

/** Says of classes of the text that their base's `__init__` is not called, or too late; once each. */
export class InitChecks {
  private readonly said = new Set<ClassValue>();
  private readonly parts: InitParts;

  constructor(parts: InitParts) {
    this.parts = parts;
  }

  /** A module runs whose base's `__init__` was never called. */
  noteMissing(self: InstanceValue, context: Context): void {
    if (this.isSaid(self)) return;
    context.report(missingInit(self, this.parts.systemOf(self), context.source));
  }

  /** The base's `__init__` of a module is called: nothing that it has to prepare for may be there. */
  noteCall(self: InstanceValue, context: Context, span: Span): void {
    const early = [...self.attributes].find(([, value]) => this.parts.isHeld(value));
    if (early === undefined || this.isSaid(self)) return;
    context.report(lateInit(self, early[0], this.parts.systemOf(self), context.source, span));
  }

  private isSaid({ type }: InstanceValue): boolean {
    const isSaid = !isOfText(type) || this.said.has(type);
    this.said.add(type);
    return isSaid;
  }
}
