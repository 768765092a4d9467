import type { Known, Lowering } from "./lowering.ts";
import type { Operation, Region, TensorType } from "./mlir.ts";
import { tensorValue, type Value, ValueFault, wholeText } from "./values.ts";
import { freshName, inBlock } from "./writer.ts";

type LowerBlock = (
  lowering: Lowering,
  operations: readonly Operation[],
  known: Known,
) => readonly Value[];

/** Counter of a `while`: its position among the loop's values, and its range. */
interface Count {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Most rounds of a loop that is written out. */
const mostRuns = 100_000;

/**
 * Writes a counting `while`, which a scan lowers to, as a `for`. Loop values that stay unchanged
 * keep their outer value, and a tensor filled slice by slice becomes a list. `undefined` for a
 * `while` with an unknown number of rounds.
 */
export function countedLoop(
  lowering: Lowering,
  operation: Operation,
  known: Known,
  lowerBlock: LowerBlock,
): readonly Value[] | undefined {
  const pairs = [...operation.text.matchAll(/(%[\w$.-]+) = (%[\w$.-]+(?:#\d+)?)/gu)];
  const names = pairs.map(([, inner = ""]) => inner);
  const starts = pairs.map(([, , outer = ""]) => known.get(outer));
  const [test, body] = operation.regions;
  if (test === undefined || body === undefined || pairs.length === 0) return undefined;
  if (!starts.every((each) => each !== undefined)) return undefined;
  const count = countOf(names, starts, test, body, known);
  if (count === undefined) return undefined;
  const kept = new Set<number>();
  for (;;) {
    const undo = undoOf(lowering);
    try {
      return writeLoop({ lowering, names, starts, body, count, known, lowerBlock, kept });
    } catch (fault) {
      if (!(fault instanceof ListFault) || kept.has(fault.at)) throw fault;
      undo();
      kept.add(fault.at);
    }
  }
}

/** Thrown when a loop value is read as a tensor and so cannot become a list. */
class ListFault extends Error {
  readonly at: number;

  constructor(at: number) {
    super("a list is read inside its loop");
    this.at = at;
  }
}

/** A function that undoes everything written after this call. */
function undoOf(lowering: Lowering): () => void {
  const { writer, steps } = lowering;
  const { lines, functions } = writer;
  const [lineCount, functionCount] = [lines.length, functions.length];
  const maps = [writer.names, writer.unknown] as const;
  const [names, unknown] = maps.map((map) => new Map(map));
  const [opaque, written, left] = [
    new Map(writer.opaque),
    new Map(lowering.written),
    new Set(writer.left),
  ];
  return () => {
    writer.lines = lines;
    lines.length = lineCount;
    functions.length = functionCount;
    for (const [map, before] of [
      [writer.names, names],
      [writer.unknown, unknown],
    ] as const) {
      map.clear();
      for (const [key, value] of before ?? []) map.set(key, value);
    }
    restore(writer.opaque, opaque);
    restore(lowering.written, written);
    writer.left.clear();
    for (const each of left) writer.left.add(each);
    lowering.steps = steps;
  };
}

function restore(map: Map<string, string>, before: ReadonlyMap<string, string>): void {
  map.clear();
  for (const [key, value] of before) map.set(key, value);
}

function countOf(
  names: readonly string[],
  starts: readonly Value[],
  test: Region,
  body: Region,
  known: Known,
): Count | undefined {
  const limits = numbersIn(test, known);
  const steps = numbersIn(body, known);
  const [last, compare] = test.operations.toReversed();
  const [counter, limit] = compare?.operands ?? [];
  const at = names.indexOf(counter ?? "");
  const isBelow = compare?.name === "stablehlo.compare" && /\bLT\b/u.test(compare.text);
  if (!isBelow || last?.operands[0] !== compare.results[0] || at < 0) return undefined;
  const [from, to] = [starts[at], limits.get(limit ?? "")];
  const next = body.operations.at(-1)?.operands[at];
  const add = body.operations.find(({ results }) => results[0] === next);
  if (add?.name !== "stablehlo.add" || !add.operands.includes(counter ?? "")) return undefined;
  const step = steps.get(add.operands.find((each) => each !== counter) ?? "");
  const values = [from, to, step].map((each) =>
    each?.kind === "number" && typeof each.value === "number" ? each.value : undefined,
  );
  const [first, end, by] = values;
  if (first === undefined || end === undefined || by === undefined || by < 1) return undefined;
  return (end - first) / by > mostRuns || end <= first
    ? undefined
    : { at, from: first, to: end, step: by };
}

/** Numbers known inside a region. */
function numbersIn({ operations }: Region, known: Known): ReadonlyMap<string, Value> {
  const numbers = new Map(known);
  const type: TensorType = { shape: [], dtype: "i32" };
  for (const { name, results, text } of operations) {
    const found = name === "stablehlo.constant" ? /dense<(-?\d+)>/u.exec(text)?.[1] : undefined;
    if (found !== undefined) {
      numbers.set(results[0] ?? "", { kind: "number", value: Number(found), type });
    }
  }
  return numbers;
}

interface Loop {
  readonly lowering: Lowering;
  readonly names: readonly string[];
  readonly starts: readonly Value[];
  readonly body: Region;
  readonly count: Count;
  readonly known: Known;
  readonly lowerBlock: LowerBlock;
  /** Positions of values that must not become lists, though they begin as a constant. */
  readonly kept: ReadonlySet<number>;
}

function writeLoop(loop: Loop): readonly Value[] {
  const { lowering, names, starts, body, count, known, lowerBlock } = loop;
  const { writer } = lowering;
  const counter = freshName(writer, "i");
  const returned = body.operations.at(-1)?.operands ?? [];
  const carried = starts.map((start, at): Value => {
    if (at === count.at) return counterValue(counter, count, start.type);
    if (returned[at] === names[at]) return start;
    const isList = !loop.kept.has(at) && start.kind === "number" && start.type.shape.length > 0;
    if (isList) {
      const list = freshName(writer, "parts");
      writer.lines.push(`${list} = []`);
      return { kind: "stack", list, type: start.type };
    }
    const name = freshName(writer, "carry");
    writer.lines.push(`${name} = ${wholeText(start)}`);
    return tensorValue(name, start.type);
  });
  let results: readonly Value[] = [];
  const lines = inBlock(writer, () => {
    const inner = new Map(known);
    for (const [at, name] of names.entries())
      inner.set(name, carried[at] ?? counterValue(counter, count, { shape: [], dtype: "i32" }));
    try {
      results = lowerBlock(lowering, body.operations, inner);
      writeCarried(loop, carried, results);
    } catch (fault) {
      const list = fault instanceof ValueFault ? fault.list : undefined;
      const at = carried.findIndex((each) => each.kind === "stack" && each.list === list);
      throw list === undefined || at < 0 ? fault : new ListFault(at);
    }
  });
  const range = count.step === 1 ? [count.from, count.to] : [count.from, count.to, count.step];
  const plain = count.step === 1 && count.from === 0 ? [count.to] : range;
  const isRead = lines.some((line) => new RegExp(String.raw`\b${counter}\b`, "u").test(line));
  writer.lines.push(`for ${isRead ? counter : "_"} in range(${plain.join(", ")}):`, ...lines);
  return carried.map((value, at) => afterLoop(loop, value, at));
}

function counterValue(name: string, { from, to, step }: Count, type: TensorType): Value {
  const runs = Math.ceil((to - from) / step);
  const range = { least: from, most: from + (runs - 1) * step };
  return { kind: "counter", name, factor: 1, offset: 0, ...range, type };
}

/** Assigns the next round's values simultaneously. */
function writeCarried(
  { lowering: { writer } }: Loop,
  carried: readonly Value[],
  results: readonly Value[],
): void {
  const changed = carried.flatMap((value, at) => {
    const result = results[at];
    if (result === undefined) throw new ValueFault("a loop hands on too little");
    if (value.kind === "stack") {
      if (result !== value) throw new ValueFault("a list is something else in the end", value.list);
      return [];
    }
    const isKept = value.kind !== "tensor" || result === value;
    return isKept ? [] : [[value.text, wholeText(result)] as const];
  });
  const left = changed.filter(([name, text], at) => {
    const isTakenOver = changed.some((pair, other) => other !== at && wordsOf(pair[1]).has(name));
    return isTakenOver || !renamed(writer.lines, name, text);
  });
  if (left.length > 0) {
    writer.lines.push(
      `${left.map(([name]) => name).join(", ")} = ${left.map(([, text]) => text).join(", ")}`,
    );
  }
  if (writer.lines.length === 0) writer.lines.push("pass");
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\w+/gu) ?? []);
}

/**
 * Renames the result of a round to the loop variable, if the old value is not read after the new
 * one exists. Returns false when an assignment is needed.
 */
function renamed(lines: string[], name: string, result: string): boolean {
  const from = lines.findIndex((line) => line.startsWith(`${result} = `));
  const own = new RegExp(String.raw`\b${name}\b`, "u");
  const isRead = lines.slice(from + 1).some((line) => own.test(line));
  if (!/^\w+$/u.test(result) || from < 0 || isRead) return false;
  const made = new RegExp(String.raw`\b${result}\b`, "gu");
  for (let at = from; at < lines.length; at += 1)
    lines[at] = (lines[at] ?? "").replaceAll(made, name);
  return true;
}

function afterLoop({ lowering: { writer }, count }: Loop, value: Value, at: number): Value {
  if (at === count.at) {
    const runs = Math.ceil((count.to - count.from) / count.step);
    return { kind: "number", value: count.from + runs * count.step, type: value.type };
  }
  if (value.kind !== "stack") return value;
  const name = freshName(writer, "stacked");
  writer.lines.push(`${name} = torch.cat(${value.list}, 0)`);
  return tensorValue(name, value.type);
}
