import type { Span } from "#core/diagnostics";
import type { Argument, Context, InstanceValue, Value } from "#language/python";
import { certainSizes } from "../trace/follows.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { unknownFact } from "./assumed.ts";
import { bindArguments, text } from "./values/values.ts";

type TensorOf = (value: Value | undefined) => TracedTensor | undefined;

/**
 * `module.load_state_dict(state)`: returns missing and unexpected keys. Refuses tensors of other
 * shapes and, when strict, key differences; for a state unknown to the text the keys are unknown.
 */
export function loadState(
  tensorOf: TensorOf,
  module: InstanceValue,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound } = bindArguments(["state_dict", "strict", "assign"], args);
  const state = bound.get("state_dict")?.value;
  const stranger = state && strangerOf(state, tensorOf);
  if (stranger !== undefined)
    context.raise("TypeError", `Expected state_dict to be dict-like, got ${stranger}.`, span);
  const own = context.call(context.getAttribute(module, "state_dict", span), [], span);
  const [given, held] = [tensorsOf(state, tensorOf), tensorsOf(own, tensorOf)];
  if (given === undefined || held === undefined)
    return keys(unknownFact("missing_keys"), unknownFact("unexpected_keys"));
  const missing = [...held.keys()].filter((key) => !given.has(key));
  const unexpected = [...given.keys()].filter((key) => !held.has(key));
  const strict = bound.get("strict")?.value;
  const isStrict = strict?.kind !== "bool" || strict.value;
  // Norm statistics that were never read are missing in states here, so on their own they are no
  // fault.
  const isFault = missing.length > 0 || !unexpected.every((key) => learnt.test(key));
  const isApart = isStrict && isFault;
  const faults = [
    ...(isApart ? [listed("Missing", missing), listed("Unexpected", unexpected)] : []),
    ...[...held].map(([key, tensor]) => mismatch(key, given.get(key), tensor)),
  ].filter((each) => each !== undefined);
  if (faults.length === 0) return keys(listOf(missing), listOf(unexpected));
  const head = `Error(s) in loading state_dict for ${module.type.name}:`;
  return context.raise("RuntimeError", [head, ...faults].join("\n\t"), span);
}

const learnt = /(?:^|\.)(?:running_mean|running_var|num_batches_tracked)$/u;

function keys(missing: Value, unexpected: Value): Value {
  const fields = ["missing_keys", "unexpected_keys"];
  return { kind: "tuple", items: [missing, unexpected], fields };
}

const listOf = (names: readonly string[]): Value => ({ kind: "list", items: names.map(text) });

function listed(what: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${what} key(s) in state_dict: ${names.map((each) => `"${each}"`).join(", ")}. `;
}

/** What a value is that is no dict for certain. */
function strangerOf(value: Value, tensorOf: TensorOf): string | undefined {
  const tensor = tensorOf(value);
  if (tensor !== undefined) return tensor.isUnknown === true ? undefined : "a Tensor";
  const isModule =
    value.kind === "instance" && value.type.mro.some(({ name }) => name === "Module");
  if (isModule) return value.type.name;
  return /^(?:list|tuple|int|float|str|method|function)$/u.test(value.kind)
    ? value.kind
    : undefined;
}

/** What a dict holds by its keys, of which others than tensors have no shape; nothing of other keys. */
function tensorsOf(
  value: Value | undefined,
  tensorOf: TensorOf,
): ReadonlyMap<string, TracedTensor | undefined> | undefined {
  if (value?.kind !== "dict") return undefined;
  const found = new Map<string, TracedTensor | undefined>();
  for (const { key, value: each } of value.entries.values()) {
    if (key.kind !== "str") return undefined;
    found.set(key.value, tensorOf(each));
  }
  return found;
}

function mismatch(
  key: string,
  given: TracedTensor | undefined,
  held: TracedTensor | undefined,
): string | undefined {
  const [theirs, ours] = [given, held].map((tensor) => certainSizes(tensor));
  if (theirs === undefined || ours === undefined || theirs.join() === ours.join()) return undefined;
  const size = (shape: readonly number[]) => `[${shape.join(", ")}]`;
  return `size mismatch for ${key}: copying a param with shape ${size(theirs)} from checkpoint, the shape in current model is ${size(ours)}.`;
}
