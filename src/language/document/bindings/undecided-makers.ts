import type { Span } from "#core/diagnostics";
import type { Frame, FunctionValue, InstanceValue, Value } from "#language/python";

/** Statements in a method body that add a part to a module or remove one. */
const changing =
  /\bself(?:\.\w+|\[[^\]]*\])+\s*(?:[+*@-]?=[^=]|\.(?:append|extend|insert|pop)\()|\b(?:setattr|delattr)\(|\b(?:add_module|register_\w+|del)\b/u;

/** Methods that run a module and do not build it. */
const running: ReadonlySet<string> = new Set(["forward", "construct", "__call__"]);

/**
 * Objects built under the influence of an unknown value: one of their methods asked for an unknown
 * count or branch. Other objects of the same class stay known.
 */
export class UndecidedMakers {
  private readonly asked = new Map<Value, Set<number>>();

  /**
   * Notes the running methods while an unknown value is asked for at a span: those that run inside
   * a module's forward pass, where there is one, since its callers get no more than its result.
   */
  note(frames: readonly Frame[], { from }: Span, source: string): void {
    const within = frames.findLastIndex(({ callee }) => running.has(callee.name));
    for (const { receiver, callee } of frames.slice(within + 1)) {
      if (receiver?.kind !== "instance" || makesNothing(callee, source)) continue;
      const places = this.asked.get(receiver) ?? new Set();
      this.asked.set(receiver, places.add(from));
    }
  }

  /** Notes a copy of an instance, which inherits the notes of the original. */
  noteCopy(made: InstanceValue, of: InstanceValue): void {
    const places = this.asked.get(of);
    if (places !== undefined) this.asked.set(made, new Set(places));
  }

  /**
   * Whether an unknown value decided how an object was built.
   *
   * @param said spans of diagnostics that report unknown values; a line that was taken back has
   * none, so it decided nothing
   */
  has(instance: InstanceValue, said: readonly Span[]): boolean {
    const places = this.asked.get(instance);
    return places !== undefined && said.some(({ from }) => places.has(from));
  }
}

/**
 * Whether a method adds no part to its module: it runs the module, or its body changes no
 * attribute.
 */
function makesNothing({ name, bodySpan: { from, to } }: FunctionValue, source: string): boolean {
  if (running.has(name)) return true;
  // Methods of imported code have negative spans, outside the text.
  return name !== "__init__" && from >= 0 && !changing.test(source.slice(from, to));
}
