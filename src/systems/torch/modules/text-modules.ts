import { type OperatorId, type TensorId, tensorId } from "#core/ir";
import type { AskedSize, SystemReading } from "#language/document/bindings";
import { originOf } from "#language/document/bindings";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, ClassValue, InstanceValue, Value } from "#language/python";
import type { TextModules, TextNumber, TextRun } from "#systems/arrays";

/**
 * The modules of a text that has one outermost module of `nn.Module`; else why not, as half a sentence.
 */
export function modulesOfText({
  trace,
  built,
}: Pick<SystemReading, "trace" | "built">): TextModules | string {
  const ids = new Map([...built.tracedBy].map(([name, traced]) => [traced, tensorId(name)]));
  const pathOf = new Map<OperatorId, string>();
  const classesOf = new Map<string, readonly string[]>();
  const roots = new Set<InstanceValue>();
  const pathOfModule = new Map<Value, string>();
  const note = (root: InstanceValue, module: InstanceValue, path: string) => {
    roots.add(root);
    pathOfModule.set(module, path);
    if (!classesOf.has(path)) classesOf.set(path, module.type.mro.map(className));
  };
  for (const [traced, { id }] of built.operatorOf) {
    const called = traced.primitive === undefined ? trace.moduleOf?.(traced) : undefined;
    if (called === undefined) continue;
    pathOf.set(id, called.path);
    note(called.root, called.module, called.path);
  }
  const runs = (trace.moduleRuns?.() ?? []).map(({ root, module, path, args }): TextRun => {
    note(root, module, path);
    return { path, args: args.map((each) => givenBy(each, ids)) };
  });
  const [root, another] = roots;
  if (root === undefined) return "no module of the text computes anything";
  if (another !== undefined)
    return `several modules of the text compute something that no other one holds: ${root.type.name} and ${another.type.name}`;
  return {
    root: root.type.name,
    pathOf,
    classesOf,
    held: heldIn(pathOfModule),
    runs,
    ...numbersOf({ trace, built }, { ids, pathOfModule }),
  };
}

/** The tensors and modules of the run, from which origins of numbers are told. */
interface Known {
  readonly ids: Ids;
  readonly pathOfModule: ReadonlyMap<Value, string>;
}

/** Integer attributes of the modules whose classes the text defines, by module path. */
function heldIn(paths: ReadonlyMap<Value, string>): TextModules["held"] {
  const held = new Map<string, ReadonlyMap<string, number>>();
  for (const [module, path] of paths) {
    if (module.kind !== "instance" || className(module.type) !== module.type.name) continue;
    const numbers = [...module.attributes].flatMap(([name, value]): [string, number][] =>
      value.kind === "int" ? [[name, Number(value.value)]] : [],
    );
    held.set(path, new Map(numbers));
  }
  return held;
}

/** Classes of PyTorch itself are told from those of the text: `nn.Linear`. */
function className({ name, span }: ClassValue): string {
  return span === undefined || span.from < 0 ? `nn.${name}` : name;
}

type Ids = ReadonlyMap<TracedTensor, TensorId>;

function givenBy({ name, value }: Argument, ids: Ids): TextRun["args"][number] {
  const tensor = tensorIn(value, ids);
  return { ...(name !== undefined && { name }), ...(tensor !== undefined && { tensor }) };
}

function tensorIn(value: Value, ids: Ids): TensorId | undefined {
  if (value.kind !== "host") return undefined;
  const data: unknown = value.data;
  return isTraced(data) ? ids.get(data) : undefined;
}

function isTraced(data: unknown): data is TracedTensor {
  return typeof data === "object" && data !== null && "kind" in data && data.kind === "tensor";
}

function numbersOf(
  { trace, built }: Pick<SystemReading, "trace" | "built">,
  known: Known,
): Pick<TextModules, "numbers" | "made"> {
  const numbers = new Map<OperatorId, ReadonlyMap<string, readonly TextNumber[]>>();
  const made = new Map<TensorId, readonly TextNumber[]>();
  for (const [what, given] of trace.numbers) {
    const rows = new Map(
      [...given].map(([name, values]) => [name, values.map((each) => numberIn(each, known))]),
    );
    const operator = "kind" in what ? undefined : built.operatorOf.get(what);
    const tensor = "kind" in what ? known.ids.get(what) : undefined;
    if (operator !== undefined) numbers.set(operator.id, rows);
    if (tensor !== undefined) made.set(tensor, [...rows.values()].flat());
  }
  return { numbers, made };
}

function numberIn(value: Value, known: Known): TextNumber {
  const isNumber = value.kind === "int" || value.kind === "float" || value.kind === "bool";
  const number = isNumber ? Number(value.value) : Number.NaN;
  const origin = originOf(value);
  if (origin === undefined) return { kind: "known", value: number };
  if (origin.kind === "made") {
    const operands = origin.operands.map((each) => numberIn(each, known));
    return { kind: "made", value: number, operator: origin.operator, operands };
  }
  const asked = origin.what as AskedSize;
  const tensor = known.ids.get(asked.tensor);
  const path = asked.receiver && known.pathOfModule.get(asked.receiver);
  // The size of a tensor that the graph no longer has counts as one that may differ.
  return tensor === undefined
    ? { kind: "made", value: number, operator: "unknown", operands: [] }
    : { kind: "size", value: number, tensor, dim: asked.dim, ...(path !== undefined && { path }) };
}
