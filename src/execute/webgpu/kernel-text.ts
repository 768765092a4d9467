import type { BufferId } from "./gpu-program.ts";

/**
 * Number type of a kernel: `u32` for moved bits, `i32` for words that wrap around, `f32` for
 * floats.
 */
export type NumberType = "f32" | "i32" | "u32";

/** A number in a kernel: an index (always `i32`), or of the kernel's own number type. */
export interface Term {
  readonly text: string;
  readonly kind: "index" | "number";
  /** The number of loops around the statement; 0 if it runs once per thread. */
  readonly depth: number;
  /** The least and the largest value of an index. */
  readonly low: number;
  readonly high: number;
  /** Value of an index that is known when the kernel is written. */
  readonly literal?: number;
  /** Whether the value may differ between the four threads of a quad. */
  readonly varies?: boolean;
}

/** The binding of a buffer in a kernel. */
export interface Binding {
  readonly buffer: BufferId;
  readonly access: "read" | "read_write";
  /** Words that are read or written at once: 4 if the kernel sees vectors. */
  readonly width: 1 | 4;
}

/** A known index as a term. */
export function literalIndex(value: number): Term {
  const text = value < 0 ? `(${value}i)` : `${value}i`;
  return { text, kind: "index", depth: 0, low: value, high: value, literal: value };
}

/** A named number as a term, at a depth of loops. */
export function namedNumber(text: string, depth: number): Term {
  const [low, high] = anything;
  return { text, kind: "number", depth, low, high };
}

/**
 * WGSL kernel under construction. Equal expressions are computed once, in the outermost loop in
 * which all their terms are known; so registers of a tile share their reads.
 *
 * One dispatch runs it for all instances (devices, and their pieces); values that differ between
 * instances come from `column`s.
 */
export class KernelText {
  readonly type: NumberType;
  readonly bindings: Binding[] = [];
  /** Numbers that instances read instead of literals, column by column. */
  readonly columns: (readonly number[])[] = [];
  readonly helpers = new Set<string>();
  /** Declarations before the kernel's own function: memory of a workgroup, functions. */
  readonly declarations: string[] = [];
  /** Threads of a workgroup. */
  groupSize = 64;
  /** Whether threads read words for each other. */
  usesQuads = false;
  private readonly scopes: string[][] = [[]];
  private readonly headers: string[] = [];
  private readonly known = new Map<string, Term>();
  private readonly columnTerms = new Map<string, Term>();
  private names = 0;

  constructor(type: NumberType) {
    this.type = type;
  }

  get depth(): number {
    return this.scopes.length - 1;
  }

  get lines(): readonly string[] {
    return this.scopes[0] ?? [];
  }

  /** A new name. */
  name(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names}`;
  }

  /** Name of a buffer; a buffer that is both read and written is bound once, for both. */
  buffer(buffer: BufferId, access: Binding["access"], width: Binding["width"] = 1): string {
    const at = this.bindings.findIndex((each) => each.buffer === buffer && each.width === width);
    if (at < 0) this.bindings.push({ buffer, access, width });
    else if (access === "read_write") this.bindings[at] = { buffer, access, width };
    return `b${at < 0 ? this.bindings.length - 1 : at}`;
  }

  /** Adds a statement to the open loop. */
  statement(line: string): void {
    this.scopes[this.depth]?.push(line);
  }

  open(header: string): void {
    this.headers.push(header);
    this.scopes.push([]);
  }

  close(): void {
    const depth = this.depth;
    const body = this.scopes.pop() ?? [];
    for (const [key, term] of this.known) if (term.depth >= depth) this.known.delete(key);
    // The loop header is written only now: statements before the loop may have been added while it
    // was open.
    this.statement(`${this.headers.pop()} {`);
    for (const line of body) this.statement(`  ${line}`);
    this.statement("}");
  }

  /** Computes an expression of terms, unless it is computed already. */
  compute(
    kind: Term["kind"],
    text: string,
    from: readonly Term[],
    bounds: readonly [low: number, high: number] = anything,
  ): Term {
    const key = `${kind} ${text}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const depth = Math.max(0, ...from.map((term) => term.depth));
    const name = this.name("v");
    this.scopes[depth]?.push(`let ${name} = ${text};`);
    const varies = from.some((term) => term.varies === true);
    const term: Term = { text: name, kind, depth, low: bounds[0], high: bounds[1], varies };
    this.known.set(key, term);
    return term;
  }

  /** A number with its own value in every instance. */
  column(values: readonly number[]): Term {
    const [first = 0, second = first] = values;
    const [low, high] = extremes(values);
    if (low === high) return literalIndex(first);
    const step = second - first;
    if (values.every((value, at) => value === first + at * step)) {
      const text = `${literalIndex(first).text} + instance * ${literalIndex(step).text}`;
      return this.compute("index", text, [], [low, high]);
    }
    const key = values.join();
    const known = this.columnTerms.get(key);
    if (known !== undefined) return known;
    this.columns.push(values);
    const text = `rows[instance * COLUMNS + ${this.columns.length - 1}]`;
    const term = this.compute("index", text, [], [low, high]);
    this.columnTerms.set(key, term);
    return term;
  }

  /** `a + b`; known numbers are added here. */
  sum(a: Term, b: Term): Term {
    if (a.literal !== undefined && b.literal !== undefined) {
      return literalIndex(a.literal + b.literal);
    }
    if (a.literal === 0) return b;
    if (b.literal === 0) return a;
    return this.compute("index", `${a.text} + ${b.text}`, [a, b], [a.low + b.low, a.high + b.high]);
  }

  /** `a · factor`. */
  scaled(a: Term, factor: number): Term {
    if (a.literal !== undefined) return literalIndex(a.literal * factor);
    if (factor === 1) return a;
    if (factor === 0) return literalIndex(0);
    const ends = [a.low * factor, a.high * factor];
    const bounds = [Math.min(...ends), Math.max(...ends)] as const;
    return this.compute("index", `${a.text} * ${literalIndex(factor).text}`, [a], bounds);
  }

  /** The quotient and the remainder of an index that is not negative. */
  digits(a: Term, divisor: number): readonly [quotient: Term, remainder: Term] {
    if (divisor === 1) return [a, literalIndex(0)];
    if (a.literal === undefined && a.high < divisor) return [literalIndex(0), a];
    if (a.literal !== undefined) {
      return [literalIndex(Math.floor(a.literal / divisor)), literalIndex(a.literal % divisor)];
    }
    const [over, rest] = divisionTexts(a, divisor);
    const high = Math.floor(a.high / divisor);
    const quotient = this.compute("index", over, [a], [0, high]);
    const most = Math.min(a.high, divisor - 1);
    return [quotient, this.compute("index", rest, [a], [0, most])];
  }
}

/**
 * Division of an index that is not negative, by shifts if possible, since a division takes far
 * longer.
 */
function divisionTexts({ text }: Term, divisor: number): readonly [over: string, rest: string] {
  const bits = Math.log2(divisor);
  if (Number.isInteger(bits)) return [`${text} >> ${bits}u`, `${text} & ${divisor - 1}i`];
  const by = literalIndex(divisor).text;
  return [`${text} / ${by}`, `${text} % ${by}`];
}

const anything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

function extremes(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
