import type { Span } from "#core/diagnostics";
import { callMethod, callSpecial } from "./call.ts";
import type { Argument } from "./host.ts";
import type { Runtime } from "./runtime.ts";
import type { ClassValue, Value } from "./value.ts";

/** Calls `__set_name__` of attributes and `__init_subclass__` of bases. */
export function initializeSubclass(
  rt: Runtime,
  made: ClassValue,
  args: readonly Argument[],
  span: Span,
): void {
  for (const [name, member] of made.attributes) {
    const text: Value = { kind: "str", value: name };
    callSpecial(rt, member, "__set_name__", [made, text], span);
  }
  const hook = made.mro
    .slice(1)
    .map(({ attributes }) => attributes.get("__init_subclass__"))
    .find((found) => found !== undefined);
  const keywords = args.filter(({ name }) => name !== undefined && name !== "metaclass");
  if (hook !== undefined) {
    const callee = hook.kind === "classmethod" ? hook.callee : hook;
    callMethod(rt, callee, made, keywords, span);
  } else if (keywords.length > 0) {
    const message = `${made.name}.__init_subclass__() takes no keyword arguments`;
    rt.fail("TypeError", message, keywords[0]?.nameSpan ?? span);
  }
}
