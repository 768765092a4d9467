import type { Value } from "#language/python";
import type { Trace } from "./trace/trace.ts";
import type { TracedTensor } from "./trace/traced.ts";

/**
 * Renames results after module-level variables. A result keeps the name a function gave it if that
 * name is unique. It takes the name of the module-level variable that finally holds it in four
 * cases: other tensors share the name, it is a parameter of the function (`x = self.layer(x)`), it
 * was unpacked from several results (`y, w = net(x)`), or a function has a tensor of the variable's
 * name, which would be taken for it. A variable's name that another variable has is not used.
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
    if (namesAlone(tensor, called) && !called.has(text)) continue;
    tensor.name = { text, frames: [] };
    tensor.isModuleVariable = true;
  }
}

/** Number of tensors per name. */
function calledAlike({ tensors }: Trace): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of tensors)
    if (name !== undefined) counts.set(name.text, (counts.get(name.text) ?? 0) + 1);
  return counts;
}

/** Whether a function's name for a result is unique and not a parameter of it. */
function namesAlone(
  { name, isTakenApart }: TracedTensor,
  called: ReadonlyMap<string, number>,
): boolean {
  if (isTakenApart || name === undefined || called.get(name.text) !== 1) return false;
  const parameters = name.frames.at(-1)?.callee.parameters ?? [];
  return !parameters.some((each) => each.name === name.text);
}

/** Plan lines of a text, which target tensors and operators. */
function namingLines({ strategies, places, reshards, pins }: Trace) {
  return [...strategies, ...places, ...reshards, ...pins];
}

/** Whether a plan line targets something by name instead of by value. */
export function asksByName(trace: Trace): boolean {
  return namingLines(trace).some(({ target }) => typeof target === "string");
}

/**
 * Lets plan lines use both names of a result: the one in the function that made it, and the
 * module-level variable that holds it. So `strategy("z", …)` and `strategy("out", …)` both work
 * beside `out = net(x)`.
 *
 * @param before names before the renaming by module-level variables
 * @param held tensors that module-level variables hold, by name
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

/** Tensors that module-level variables hold, by name. */
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
