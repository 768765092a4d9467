import type { Value } from "#language/python";
import type { Trace } from "./trace/trace.ts";
import type { TracedTensor } from "./trace/traced.ts";

/**
 * A result that a function named, and that a variable of the module holds in the end, is called
 * after that variable: `y = net(x)`, where no other tensor has the name.
 */
export function nameByVariables(
  globals: ReadonlyMap<string, Value>,
  tensorOf: (value: Value) => TracedTensor | undefined,
  trace: Trace,
): void {
  const taken = new Set(
    trace.tensors.flatMap(({ name }) => (name?.frames.length === 0 ? [name.text] : [])),
  );
  for (const [text, value] of globals) {
    const tensor = tensorOf(value);
    const isInner = tensor?.producer !== undefined && (tensor.name?.frames.length ?? 0) > 0;
    if (tensor === undefined || !isInner || taken.has(text)) continue;
    tensor.name = { text, frames: [] };
    tensor.isModuleVariable = true;
  }
}

/** The lines of a text that name tensors and operators. */
function namingLines({ strategies, places, reshards, pins }: Trace) {
  return [...strategies, ...places, ...reshards, ...pins];
}

/** Whether a line of the text names what it means, in place of the value. */
export function asksByName(trace: Trace): boolean {
  return namingLines(trace).some(({ target }) => typeof target === "string");
}

/**
 * A line may call a result as the function called it that made it, also where a variable of the module
 * holds it: `strategy("z", …)` beside `out = net(x)`.
 */
export function meanBoth(
  trace: Trace,
  before: ReadonlyMap<TracedTensor, string>,
  names: ReadonlyMap<TracedTensor, string>,
): void {
  const taken = new Set(names.values());
  const renamed = [...before].filter(([tensor, name]) => names.get(tensor) !== name);
  const own = new Map(renamed.map(([tensor, name]) => [name, names.get(tensor)]));
  for (const line of namingLines(trace)) {
    const name = typeof line.target === "string" ? own.get(line.target) : undefined;
    if (name !== undefined && !taken.has(String(line.target)))
      Object.assign(line, { target: name });
  }
}
