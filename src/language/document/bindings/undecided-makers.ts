import type { Span } from "#core/diagnostics";
import type { Frame, InstanceValue, Value } from "#language/python";

/** Methods that make no part of a module. */
const running: ReadonlySet<string> = new Set(["forward", "construct", "__call__"]);

/**
 * Which instances something unknown has decided: a count or a branch that a method of theirs asked
 * for while it ran. Another instance of the same class that asked for nothing is known.
 */
export class UndecidedMakers {
  private readonly asked = new Map<Value, Set<number>>();

  /** Takes note of what runs while something unknown is asked for at a place of the text. */
  note(frames: readonly Frame[], { from }: Span): void {
    for (const { receiver, callee } of frames) {
      const isRun = "name" in callee && typeof callee.name === "string" && running.has(callee.name);
      if (receiver?.kind !== "instance" || isRun) continue;
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
   * Whether something unknown has decided an instance.
   *
   * @param said where the text is said to ask what is not known: what a line that was taken back
   * has asked for has decided nothing
   */
  has(instance: InstanceValue, said: readonly Span[]): boolean {
    const places = this.asked.get(instance);
    return places !== undefined && said.some(({ from }) => places.has(from));
  }
}
