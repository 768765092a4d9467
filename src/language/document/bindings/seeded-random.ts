import type { Context, HostFunction, HostObject, ModuleValue, Value } from "#language/python";
import { below, bits32, copyOf, fraction, seeded, type TwisterState } from "./mersenne-twister.ts";
import type { OpaqueOperators } from "./opaque-operators.ts";
import {
  hostFunction,
  integer,
  integerOf,
  itemsOf,
  namespace,
  none,
  numberOf,
} from "./values/values.ts";

/** A function of module `random` for a known generator state. */
type Draw = (state: TwisterState, args: readonly Value[]) => Value | undefined;

/** Functions of `random` as CPython computes them; `undefined` for unsupported arguments. */
const draws: Readonly<Record<string, Draw>> = {
  random: (state) => ({ kind: "float", value: fraction(state) }),
  uniform: (state, [from, to]) => {
    const [low, high] = [numberOf(from), numberOf(to)];
    if (low === undefined || high === undefined) return undefined;
    return { kind: "float", value: low + (high - low) * fraction(state) };
  },
  getrandbits: (state, [count]) => {
    const bits = integerOf(count);
    return bits === undefined || bits < 0 || bits > 32 ? undefined : integer(bits32(state, bits));
  },
  randint: (state, [from, to]) => inRange(state, integerOf(from), integerOf(to), 1),
  randrange: (state, [from, to]) =>
    to === undefined
      ? inRange(state, 0, integerOf(from), 0)
      : inRange(state, integerOf(from), integerOf(to), 0),
  choice: (state, [from]) => {
    const items = itemsOf(from) ?? [];
    return items.length === 0 ? undefined : items[below(state, items.length)];
  },
  shuffle: (state, [list]) => {
    if (list?.kind !== "list") return undefined;
    for (let at = list.items.length - 1; at > 0; at--) {
      const other = below(state, at + 1);
      const [one, two] = [list.items[at] ?? none, list.items[other] ?? none];
      list.items[at] = two;
      list.items[other] = one;
    }
    return none;
  },
};

function inRange(
  state: TwisterState,
  from: number | undefined,
  to: number | undefined,
  more: number,
): Value | undefined {
  const width = (to ?? 0) - (from ?? 0) + more;
  if (from === undefined || to === undefined || width < 1 || width > 2 ** 31) return undefined;
  return integer(from + below(state, width));
}

/**
 * Python's module `random` during one reading. Results are known after a call of `seed`; before it,
 * and for unsupported functions, they are assumed values.
 */
export function randomModule(opaque: OpaqueOperators): ModuleValue {
  let state: TwisterState | undefined;
  const drawn = (name: string, draw: Draw) => {
    const unknown = opaque.assumed(`random.${name}`);
    return hostFunction(name, (args, context: Context, span) => {
      const values = args.map(({ value }) => value);
      const found = state && args.every((each) => each.name === undefined) && draw(state, values);
      return found || context.call(unknown, args, span);
    });
  };
  const words = new Map<string, Value>(
    Object.entries(draws).map(([name, draw]) => [name, drawn(name, draw)]),
  );
  words.set("sample", sampleWord(opaque));
  const seed = hostFunction("seed", ([given]) => {
    state = given?.value.kind === "int" ? seeded(given.value.value) : undefined;
    return none;
  });
  const getState = hostFunction("getstate", (): HostObject => {
    return { kind: "host", type: stateType, data: state && copyOf(state) };
  });
  const setState = hostFunction("setstate", ([given]) => {
    const kept = given?.value.kind === "host" && given.value.type === stateType;
    const data = kept ? (given.value as HostObject).data : undefined;
    state = data === undefined ? undefined : copyOf(data as TwisterState);
    return none;
  });
  for (const word of [seed, getState, setState]) words.set(word.name, word);
  return namespace("random", (name) => words.get(name) ?? opaque.assumed(`random.${name}`));
}

/**
 * `random.sample(items, k)`: the first k items when all are tuples or objects, as in a replay
 * buffer, since any k do. Samples of numbers and strings are unknown.
 */
function sampleWord(opaque: OpaqueOperators): HostFunction {
  const unknown = opaque.assumed("random.sample");
  return hostFunction("sample", (args, context, span) => {
    const [population, count] = args.map(({ value }) => value);
    const k = integerOf(count);
    if (population === undefined || k === undefined || args.length !== 2)
      return context.call(unknown, args, span);
    const isOpen = population.kind === "host" && population.type.isUnknown === true;
    const items = isOpen ? undefined : context.iterate(population, span);
    const isOfRows = items?.every(({ kind }) => kind === "tuple" || kind === "instance") === true;
    if (items === undefined || !isOfRows) return context.call(unknown, args, span);
    if (k < 0 || k > items.length)
      context.raise("ValueError", "Sample larger than population or is negative", span);
    return { kind: "list", items: items.slice(0, k) };
  });
}

const stateType = { name: "tuple", text: () => "(3, …, None)" };
