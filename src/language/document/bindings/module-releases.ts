import type { Context, InstanceValue, Replacement, Value } from "#language/python";
import type { Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { itemsName } from "./list-items.ts";
import type { TreeReading } from "./module-tree.ts";

/**
 * Parameters and modules that no module holds any more: `head.weight = tokens.weight` frees the
 * parameter that `head` was made with.
 */
export class ModuleReleases {
  private readonly lost = new Set<Value>();
  private readonly reading: TreeReading;

  constructor(reading: TreeReading) {
    this.reading = reading;
  }

  /** Notes the value that a module loses, and refuses a new one that may not take its place. */
  note(replacement: Replacement, context: Context): void {
    const { owner, before, after } = replacement;
    this.lose(before);
    const items = owner.attributes.get(itemsName);
    const at = items?.kind === "list" ? items.items.indexOf(before) : -1;
    if (items?.kind === "list" && at >= 0)
      items.items.splice(at, 1, ...(after === undefined ? [] : [after]));
    if (after !== undefined) this.requireParameter(replacement, context);
  }

  /** Notes that a value lost its holder. */
  lose(before: Value): void {
    this.lost.add(before);
  }

  /**
   * Leaves and modules that were replaced or taken apart and are unused: held by no variable or
   * other module, read by no operator and named by no plan line.
   *
   * @param variables values of the text's variables
   * @param made modules that were made
   * @param called modules that were called
   */
  released(
    variables: Iterable<Value>,
    made: ReadonlySet<InstanceValue>,
    called: ReadonlySet<InstanceValue>,
    trace: Trace,
  ): ReadonlySet<Value | TracedTensor> {
    const roots = [...variables, ...called];
    const lost = this.reachedFrom([...this.lost, ...this.takenApart(roots, made)]);
    if (lost.size === 0) return new Set();
    const others = [...made].filter((each) => !lost.has(each));
    const held = this.reachedFrom([...roots, ...others]);
    const used = usedIn(trace);
    const isFree = (each: Value | TracedTensor) =>
      !held.has(each) && !(each.kind === "tensor" && (used.has(each) || each.producer));
    return new Set([...lost].filter(isFree));
  }

  /** Unheld modules whose members were moved into held ones: `Sequential(*net.children())`. */
  private takenApart(
    roots: readonly Value[],
    made: ReadonlySet<InstanceValue>,
  ): readonly InstanceValue[] {
    const held = this.reachedFrom(roots);
    const isTaken = (value: Value | TracedTensor) => value.kind === "instance" && held.has(value);
    return [...made].filter(
      (each) => !held.has(each) && [...this.reachedFrom([each])].some(isTaken),
    );
  }

  /** Refuses a plain tensor in place of a parameter, as `Module.__setattr__` does. */
  private requireParameter(
    { owner, name, before, after, span }: Replacement,
    context: Context,
  ): void {
    const [old, given] = [this.reading.tensorOf(before), this.reading.tensorOf(after)];
    const isPlain = given !== undefined && !isParameter(given);
    if (old === undefined || !isParameter(old) || !isPlain || !this.reading.isModule(owner)) return;
    if (this.reading.buffersOf(owner).has(name)) return;
    const wanted = `${this.reading.systems.parameterClass} or None expected`;
    const message = `cannot assign a tensor as parameter '${name}' (${wanted})`;
    context.raise("TypeError", message, span);
  }

  /** Modules, tensors and containers reachable from some values, including these. */
  private reachedFrom(roots: Iterable<Value>): ReadonlySet<Value | TracedTensor> {
    const seen = new Set<Value | TracedTensor>();
    const open = [...roots];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (seen.has(value)) continue;
      seen.add(value);
      const tensor = this.reading.tensorOf(value);
      if (tensor !== undefined) seen.add(tensor);
      open.push(...insideOf(value));
    }
    return seen;
  }
}

function isParameter({ role, producer }: TracedTensor): boolean {
  return role === "parameter" && producer === undefined;
}

/** Values directly inside a container or object. */
function insideOf(value: Value): readonly Value[] {
  switch (value.kind) {
    case "tuple":
    case "list":
      return value.items;
    case "dict":
      return [...value.entries.values()].map((entry) => entry.value);
    case "set":
      return [...value.members.values()];
    case "instance":
      return [...value.attributes.values(), ...(value.native ? [value.native] : [])];
    case "method":
      return [value.self, value.callee];
    default:
      return [];
  }
}

/** Tensors that operators, plan lines or losses use. */
function usedIn(trace: Trace): ReadonlySet<TracedTensor | string | object> {
  const targets = [trace.strategies, trace.places, trace.reshards, trace.placedPieces, trace.pins];
  return new Set([
    ...trace.operators.flatMap(({ inputs }) => inputs),
    ...targets.flat().map(({ target }) => target),
    ...trace.training.map(({ loss }) => loss),
  ]);
}
