import type { Span } from "#core/diagnostics";
import type { Frame, FunctionValue, InstanceValue, Value } from "#language/python";

/** What gives a module a part, or takes one from it, in the words of a method. */
const changing =
  /\bself(?:\.\w+|\[[^\]]*\])+\s*(?:[+*@-]?=[^=]|\.(?:append|extend|insert|pop)\()|\b(?:setattr|delattr)\(|\b(?:add_module|register_\w+|del)\b/u;

/** Methods that make no part of a module. */
const running: ReadonlySet<string> = new Set(["forward", "construct", "__call__"]);

/**
 * The objects that an unknown value has decided: a method of theirs asked for a count or a branch
 * while it ran. Another object of the same class whose methods asked for nothing is known.
 */
export class UndecidedMakers {
  private readonly asked = new Map<Value, Set<number>>();

  /** Takes note of what runs while something unknown is asked for at a place of the text. */
  note(frames: readonly Frame[], { from }: Span, source: string): void {
    for (const { receiver, callee } of frames) {
      if (receiver?.kind !== "instance" || makesNothing(callee, source)) continue;
      const places = this.asked.get(receiver) ?? new Set();
      this.asked.set(receiver, places.add(from));
    }
  }

  /** Takes note of a copy of an instance, which was made as that one was. */
  noteCopy(made: InstanceValue, of: InstanceValue): void {
    const places = this.asked.get(of);
    if (places !== undefined) this.asked.set(made, new Set(places));
  }

  /**
   * Whether an unknown value has decided an object.
   *
   * @param said places of the diagnostics that report unknown values; a line that was taken back
   * has no diagnostic, so it decided nothing
   */
  has(instance: InstanceValue, said: readonly Span[]): boolean {
    const places = this.asked.get(instance);
    return places !== undefined && said.some(({ from }) => places.has(from));
  }
}

/**
 * Whether a method adds no part to its module: it runs the module, or its words change no
 * attribute.
 */
function makesNothing({ name, bodySpan: { from, to } }: FunctionValue, source: string): boolean {
  if (running.has(name)) return true;
  // A method of what the text imports lies in no place of the text.
  return name !== "__init__" && from >= 0 && !changing.test(source.slice(from, to));
}
