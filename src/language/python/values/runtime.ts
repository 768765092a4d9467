import type { Diagnostic, Span } from "#core/diagnostics";
import { required } from "#core/records";
import { classOf, createTypes, makeClass, makeInstance } from "./classes.ts";
import type { Context, Frame, Host } from "./host.ts";
import type { Limits } from "./limits.ts";
import { Halted, PoisonedValueUsed, Raised } from "./signals.ts";
import type { ClassValue, FunctionValue, InstanceValue, ModuleValue, Value } from "./value.ts";

/** Makes a value of a builtin class; `type` may be a subclass of it. */
export type Construct = (
  type: ClassValue,
  args: Parameters<Extract<Value, { kind: "host-function" }>["call"]>[0],
  span: Span,
) => Value;

/** A method of a builtin type, with the receiver as first parameter. */
export type Method = (
  self: Value,
  args: Parameters<Extract<Value, { kind: "host-function" }>["call"]>[0],
  span: Span,
) => Value;

const nowhere: Span = { from: 0, to: 0 };

/**
 * One evaluation: its budgets, its faults, and the tables that the parts of the evaluator share.
 * `context` is the face that functions of the host see.
 */
export class Runtime {
  readonly source: string;
  readonly host: Host;
  readonly limits: Limits;
  readonly types: Map<string, ClassValue> = createTypes();
  readonly constructors = new Map<ClassValue, Construct>();
  /** What makes the methods of builtin types, by kind of value. */
  readonly methodMakers = new Map<string, () => ReadonlyMap<string, Method>>();
  readonly builtins = new Map<string, Value>();
  readonly globals = new Map<string, Value>();
  /** Modules that were imported and are the evaluator's own. */
  readonly modules = new Map<string, ModuleValue>();
  /** The modules of classes that are the evaluator's own. */
  readonly homes = new Map<ClassValue, string>();
  /** Attributes that the text has set on modules, e.g. `backends.cudnn.benchmark = True`. */
  readonly setOnModules = new WeakMap<ModuleValue, Map<string, Value>>();
  /** What stands for unknown decorators, by the functions that they were to change. */
  readonly decorators = new WeakMap<FunctionValue, Value>();
  readonly frames: Frame[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly output: string[] = [];
  /** Exceptions whose `except` clauses run now, innermost last. */
  readonly handled: Raised[] = [];
  /** Representatives of instances with their own `__eq__` and `__hash__`, by hash. */
  readonly representatives = new Map<string, InstanceValue[]>();
  /** What ended the one round of a loop that counts as not begun: the loop is left out. */
  abandoned: unknown;
  /** How many things run now that may catch an exception: `try` blocks, attempts of the host. */
  guards = 0;
  /** Whether the first exception ends the evaluation, as in Python. */
  isStrict = false;
  context: Context;
  /** Runs a module that is written in Python; set when there is a compiler. */
  /** How often something that the host does not know had to be decided. */
  unknownAsked = 0;
  /** Whether a statement of the module runs before its turn. */
  isAhead = false;
  /** Runs the statement further down that binds a name of the text, if there is one. */
  bindLater: (name: string, imports: boolean) => boolean = () => false;
  runLibrary: (home: string, text: string) => ReadonlyMap<string, Value> = () => new Map();
  /** The place to blame when something has no place of its own. */
  at: Span = nowhere;
  /** Where the text calls the function of our own modules that runs now. */
  calledFrom: Span | undefined;
  #steps = 0;
  #cells = 0;
  #characters = 0;
  #printed = 0;
  #nesting = 0;
  readonly #methods = new Map<string, ReadonlyMap<string, Method>>();
  readonly #ordinals = new Map<object, number>();
  readonly #identities = new WeakMap<object, number>();
  #nextIdentity = 1;

  constructor(source: string, host: Host, limits: Limits, createContext: (rt: Runtime) => Context) {
    this.source = source;
    this.host = host;
    this.limits = limits;
    this.context = createContext(this);
  }

  /** Methods of a builtin type, by kind of value; made when they are first looked for. */
  methodsOf(kind: string): ReadonlyMap<string, Method> | undefined {
    const known = this.#methods.get(kind) ?? this.methodMakers.get(kind)?.();
    if (known !== undefined) this.#methods.set(kind, known);
    return known;
  }

  /** Counts work, about one per part of an expression. */
  /** How many steps the program has taken. */
  get steps(): number {
    return this.#steps;
  }

  tick(steps: number, span: Span): void {
    this.#steps += steps;
    if (this.#steps > this.limits.steps) {
      this.halt("python/limit-steps", "the program takes too many steps", span);
    }
  }

  /** Counts items of containers before they are made. */
  allocate(cells: number, span: Span): void {
    this.#cells += cells;
    if (this.#cells > this.limits.cells) {
      this.halt("python/limit-memory", "the program makes too many values", span, "MemoryError");
    }
  }

  /** Counts the units of a text before it is made. */
  allocateText(characters: number, span: Span): void {
    this.#characters += characters;
    if (this.#characters > this.limits.characters) {
      this.halt("python/limit-memory", "the program makes too much text", span, "MemoryError");
    }
  }

  /** Refuses an integer that would be too long, before it is made. */
  allocateBits(bits: number, span: Span): void {
    if (bits > this.limits.bits) {
      this.halt(
        "python/limit-memory",
        "the program makes an integer that is too large",
        span,
        "MemoryError",
      );
    }
    this.tick(bits >> 10, span);
  }

  print(text: string, span: Span): void {
    this.#printed += text.length;
    if (this.#printed > this.limits.output) {
      this.halt("python/limit-output", "the program prints too much", span);
    }
    this.output.push(text);
  }

  /** Runs something that may take so many steps, whatever the program has left. */
  budgeted<T>(steps: number, action: () => T): T {
    const used = [this.#steps, this.#cells, this.#characters, this.#printed] as const;
    this.#steps = this.limits.steps - steps;
    [this.#cells, this.#characters, this.#printed] = [0, 0, 0];
    try {
      return action();
    } finally {
      [this.#steps, this.#cells, this.#characters, this.#printed] = used;
    }
  }

  /** Runs something one level deeper, for recursion that is not a call: nested data. */
  nested<T>(span: Span, action: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > this.limits.depth) {
      this.#nesting = 0;
      this.tooDeep(span);
    }
    try {
      return action();
    } finally {
      this.#nesting = Math.max(0, this.#nesting - 1);
    }
  }

  enter(frame: Omit<Frame, "ordinal">, span: Span): void {
    if (this.frames.length >= this.limits.depth) this.tooDeep(span);
    const ordinal = this.#ordinals.get(frame.callee) ?? 0;
    this.#ordinals.set(frame.callee, ordinal + 1);
    this.frames.push({ ...frame, ordinal });
  }

  leave(): void {
    this.frames.pop();
  }

  tooDeep(span: Span): never {
    throw new Halted("python/limit-depth", "maximum recursion depth exceeded", span, {
      upstream: "RecursionError",
      isFinal: false,
    });
  }

  /** Ends the whole evaluation. */
  halt(code: DiagnosticCode, message: string, span: Span, upstream?: string): never {
    const options = upstream === undefined ? { isFinal: true } : { upstream, isFinal: true };
    throw new Halted(code, message, span, options);
  }

  /** Ends the statement: Python has this, the evaluator does not. */
  lacks(what: string, span: Span): never {
    throw new Halted("python/not-supported", `${what} is not supported here`, span, {
      isFinal: false,
    });
  }

  /** Raises a Python exception. */
  fail(kind: string, message: string, span: Span, extra: Partial<Diagnostic> = {}): never {
    throw new Raised(this.exception(kind, [{ kind: "str", value: message }]), span, extra);
  }

  exception(kind: string, args: readonly Value[]): InstanceValue {
    this.tick(5, this.at);
    const made = makeInstance(this.exceptionType(kind));
    made.attributes.set("args", { kind: "tuple", items: args });
    return made;
  }

  exceptionType(kind: string): ClassValue {
    const known = this.types.get(kind);
    if (known !== undefined) return known;
    const made = makeClass(kind, [this.type("Exception")]);
    this.types.set(kind, made);
    return made;
  }

  type(name: string): ClassValue {
    return required(this.types, name, "builtin class");
  }

  classOf(value: Value): ClassValue {
    return classOf(this.types, value);
  }

  /** An attribute that an unknown decorator gives a function. */
  ofDecorator(callee: FunctionValue, name: string, span: Span): Value | undefined {
    const decorator = this.decorators.get(callee);
    if (decorator?.kind !== "host") return undefined;
    return decorator.type.attribute?.(decorator, name, this.context, span);
  }

  /** A number for `id(x)` and keys of containers: the same object, the same number. */
  identity(value: object): number {
    const known = this.#identities.get(value);
    if (known !== undefined) return known;
    this.#identities.set(value, this.#nextIdentity);
    return this.#nextIdentity++;
  }

  /** Ends the statement in silence when a value is unknown because its statement failed. */
  known(value: Value): Value {
    if (value.kind === "unknown") throw new PoisonedValueUsed();
    return value;
  }
}

const longText = 256;
const smallInteger = 1n << 62n;

/**
 * Counts what looking through a value costs beyond one step, where it is one long text or one long
 * integer; items of containers are counted where they are visited.
 */
export function chargeSize(rt: Runtime, value: Value, span: Span): void {
  if (value.kind === "str") {
    if (value.value.length > longText) rt.tick(value.value.length >> 3, span);
  } else if (value.kind === "int" && !isSmall(value.value)) {
    rt.tick(bitBound(value.value) >> 8, span);
  }
}

/** Counts a product or a quotient of integers by the product of their lengths. */
export function chargeProduct(rt: Runtime, a: bigint, b: bigint, span: Span, times = 1): void {
  const words = (bitBound(a) / 64) * (bitBound(b) / 64);
  rt.tick(times * (1 + Math.floor(words / 64)), span);
}

/** Counts a search for one text in another: at worst both are compared at many places. */
export function chargeSearch(rt: Runtime, text: string, part: string, span: Span): void {
  rt.tick((text.length >> 3) + Math.floor((text.length * part.length) / 65_536), span);
}

function isSmall(value: bigint): boolean {
  return value < smallInteger && value > -smallInteger;
}

const bounds = Array.from({ length: 16 }, (_, at) => 64 << at);
const powers = bounds.map((bits) => 1n << BigInt(bits));

/**
 * At least as many bits as an integer has, at most twice as many (64 for small ones): only lengths
 * are compared, so this costs nothing, unlike counting bits.
 */
export function bitBound(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const at = powers.findIndex((power) => magnitude < power);
  return bounds[at] ?? 2 * (bounds.at(-1) ?? 0);
}
