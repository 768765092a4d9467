import type { Argument } from "../values/host.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { objectBuiltins, refused } from "./builtins.ts";
import { iterationBuiltins } from "./builtins-iteration.ts";
import { numberBuiltins } from "./builtins-number.ts";

/** Adds Python's built-in names to the runtime. */
export function addBuiltins(rt: Runtime): void {
  const { builtins } = rt;
  for (const [name, type] of rt.types) {
    if (isVisible(name)) builtins.set(name, type);
  }
  for (const table of [objectBuiltins, iterationBuiltins, numberBuiltins]) {
    for (const [name, run] of table) {
      const value: Value = {
        kind: "host-function",
        name,
        call: (args, _context, span) => unknownAmong(name, args) ?? run(rt, args, span),
      };
      builtins.set(name, value);
    }
  }
  for (const name of refused) {
    const value: Value = {
      kind: "host-function",
      name,
      call: (_args, _context, span) => rt.lacks(`${name}()`, span),
    };
    builtins.set(name, value);
  }
  builtins.set("NotImplemented", {
    kind: "host-function",
    name: "NotImplemented",
    call: (_args, _context, span) =>
      rt.fail("TypeError", "'NotImplementedType' object is not callable", span),
  });
  builtins.set("Ellipsis", { kind: "ellipsis" });
  builtins.set("__name__", { kind: "str", value: "__main__" });
  builtins.set("__doc__", { kind: "none" });
  builtins.set("__debug__", { kind: "bool", value: true });
}

/** Built-in functions whose result for an unknown argument is unknown. */
const following: ReadonlySet<string> = new Set([
  ...["len", "sum", "min", "max", "sorted", "reversed", "enumerate", "zip", "map", "filter"],
  ...["any", "all", "iter", "next", "abs", "round", "divmod", "pow"],
]);

/**
 * The first unknown argument of such a function, which is then also its result; else `undefined`.
 */
function unknownAmong(name: string, args: readonly Argument[]): Value | undefined {
  if (!following.has(name)) return undefined;
  const found = args.find(({ value }) => value.kind === "host" && value.type.isUnknown === true);
  return found?.value;
}

/** Whether a class is visible by name without an import. */
function isVisible(name: string): boolean {
  const hidden = [
    "NoneType",
    "ellipsis",
    "function",
    "method",
    "builtin_function_or_method",
    "module",
    "generator",
    "NotImplementedType",
  ];
  return !hidden.includes(name) && !name.startsWith("dict_") && name !== "super";
}
