import type { FunctionNode, Statement } from "../reading/syntax.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import { createEnvironment, functionScope, moduleScope } from "./scope.ts";

const nowhere = { from: -1, to: -1 };

/**
 * Runs a module that is written in Python and gives its names. The places of its text are before
 * the beginning of the text that is evaluated: faults inside it are blamed on the call from there,
 * its calls have no frame, and the host does not hear of its names.
 */
export function runLibrary(
  compiler: Compiler,
  home: string,
  body: readonly Statement[],
): ReadonlyMap<string, Value> {
  const definition: FunctionNode = {
    name: "<module>",
    parameters: [],
    body,
    span: nowhere,
    nameSpan: nowhere,
    bodySpan: nowhere,
    decorators: [],
  };
  const scope = { ...functionScope(moduleScope(), definition), prefix: "" };
  const slots = new Array<Value | undefined>(scope.slots.size).fill(undefined);
  const environment = createEnvironment(createEnvironment(undefined), slots);
  for (const statement of body) {
    if (statement.kind !== "function" || statement.definition.decorators.length > 0) {
      compiler.block(scope, [statement])(environment);
      continue;
    }
    // Most of a module are these, often hundreds: they cannot fail, and nobody hears of them.
    const made = compiler.definition(scope, statement.definition)(environment);
    const index = scope.slots.get(statement.definition.name);
    if (index !== undefined) slots[index] = made;
  }
  const members = new Map<string, Value>();
  for (const [name, index] of scope.slots) {
    const value = slots[index];
    if (value === undefined) continue;
    if (value.kind === "class" && value.name === name) compiler.rt.homes.set(value, home);
    members.set(name, value);
  }
  return members;
}
