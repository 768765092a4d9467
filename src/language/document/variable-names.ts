import type { Value } from "#language/python";
import type { Trace } from "./trace/trace.ts";
import type { TracedTensor } from "./trace/traced.ts";

/**
 * A result keeps the name that a function gave it, where that names it alone. One that others share,
 * that the function has for what it is called with (`x = self.layer(x)`), or that is one of several
 * results taken apart (`y, w = net(x)`), gives way to the variable of the module that holds the
 * result in the end, where no other tensor has the name.
 */
export function nameByVariables(
  globals: ReadonlyMap<string, Value>,
  tensorOf: (value: Value) => TracedTensor | undefined,
  trace: Trace,
): void {
  const taken = new Set<string>();
  for (const { name } of trace.tensors) if (name?.frames.length === 0) taken.add(name.text);
  const called = calledAlike(trace);
  for (const [text, value] of globals) {
    const tensor = tensorOf(value);
    const isInner = tensor?.producer !== undefined && (tensor.name?.frames.length ?? 0) > 0;
    if (tensor === undefined || !isInner || taken.has(text)) continue;
    if (namesAlone(tensor, called)) continue;
    tensor.name = { text, frames: [] };
    tensor.isModuleVariable = true;
  }
}

/** How many tensors each name was given to. */
function calledAlike({ tensors }: Trace): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of tensors)
    if (name !== undefined) counts.set(name.text, (counts.get(name.text) ?? 0) + 1);
  return counts;
}

/** Whether a function's name for a result is nobody else's, nor one of its parameters. */
function namesAlone(
  { name, isTakenApart }: TracedTensor,
  called: ReadonlyMap<string, number>,
): boolean {
  if (isTakenApart || name === undefined || called.get(name.text) !== 1) return false;
  const parameters = name.frames.at(-1)?.callee.parameters ?? [];
  return !parameters.some((each) => each.name === name.text);
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
 * names it, and as a variable of the module that holds it, also where the function's name stays:
 * `strategy("z", …)` and `strategy("out", …)` beside `out = net(x)`.
 *
 * @param before the names before variables of the module named anything
 * @param held the tensors that variables of the module hold, by their names
 */
export function meanBoth(
  trace: Trace,
  before: ReadonlyMap<TracedTensor, string>,
  names: ReadonlyMap<TracedTensor, string>,
  held: ReadonlyMap<string, TracedTensor>,
): void {
  const taken = new Set(names.values());
  const renamed = [...before].filter(([tensor, name]) => names.get(tensor) !== name);
  const own = new Map([
    ...[...held].map(([name, tensor]) => [name, names.get(tensor)] as const),
    ...renamed.map(([tensor, name]) => [name, names.get(tensor)] as const),
  ]);
  for (const line of namingLines(trace)) {
    const name = typeof line.target === "string" ? own.get(line.target) : undefined;
    if (name !== undefined && !taken.has(String(line.target)))
      Object.assign(line, { target: name });
  }
}

/** The tensors that variables of the module hold. */
export function heldTensors(
  globals: ReadonlyMap<string, Value>,
  tensorOf: (value: Value) => TracedTensor | undefined,
): ReadonlyMap<string, TracedTensor> {
  const held = new Map<string, TracedTensor>();
  for (const [name, value] of globals) {
    const tensor = tensorOf(value);
    if (tensor !== undefined) held.set(name, tensor);
  }
  return held;
}
