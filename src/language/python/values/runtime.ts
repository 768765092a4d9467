import type { Diagnostic, Span } from "#core/diagnostics";
import { required } from "#core/records";
import { classOf, createTypes, makeClass, makeInstance } from "./classes.ts";
import type { Context, Frame, Host } from "./host.ts";
import type { Limits } from "./limits.ts";
import { Halted, PoisonedValueUsed, Raised } from "./signals.ts";
import type { ClassValue, FunctionValue, InstanceValue, ModuleValue, Value } from "./value.ts";

/** Makes a value of a built-in class; `type` may be a subclass of it. */
export type Construct = (
  type: ClassValue,
  args: Parameters<Extract<Value, { kind: "host-function" }>["call"]>[0],
  span: Span,
) => Value;

/** A method of a built-in type, with the receiver as first parameter. */
export type Method = (
  self: Value,
  args: Parameters<Extract<Value, { kind: "host-function" }>["call"]>[0],
  span: Span,
) => Value;

const nowhere: Span = { from: 0, to: 0 };

/**
 * State of one evaluation: budgets, faults, and tables shared by the parts of the evaluator.
 * `context` is the interface for host functions.
 */
export class Runtime {
  readonly source: string;
  readonly host: Host;
  readonly limits: Limits;
  readonly types: Map<string, ClassValue> = createTypes();
  readonly constructors = new Map<ClassValue, Construct>();
  /** Makers of the method tables of built-in types, by value kind. */
  readonly methodMakers = new Map<string, () => ReadonlyMap<string, Method>>();
  readonly builtins = new Map<string, Value>();
  readonly globals = new Map<string, Value>();
  /** Imported built-in modules. */
  readonly modules = new Map<string, ModuleValue>();
  /** Module name of each class defined in a built-in module. */
  readonly homes = new Map<ClassValue, string>();
  /** Attributes that the text has set on modules, e.g. `backends.cudnn.benchmark = True`. */
  readonly setOnModules = new WeakMap<ModuleValue, Map<string, Value>>();
  /** Unknown decorators, by the functions they decorate. */
  readonly decorators = new WeakMap<FunctionValue, Value>();
  readonly frames: Frame[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly output: string[] = [];
  /** Exceptions whose `except` clauses are running, innermost last. */
  readonly handled: Raised[] = [];
  /** Representatives of instances with their own `__eq__` and `__hash__`, by hash. */
  readonly representatives = new Map<string, InstanceValue[]>();
  /** Signal that ended the single round of a loop, which is therefore left out. */
  abandoned: unknown;
  /**
   * Number of active handlers that may catch an exception: `try` blocks, and attempts of the host.
   */
  guards = 0;
  /** Whether the first exception ends the evaluation, as in Python. */
  isStrict = false;
  context: Context;
  /** Number of times an unknown value had to be decided. */
  unknownAsked = 0;
  /** Whether a module statement is running before its turn. */
  isAhead = false;
  /** Runs a later statement that binds a name of the text; returns whether there is one. */
  bindLater: (name: string, imports: boolean) => boolean = () => false;
  /** Runs a module written in Python; set by the compiler. */
  runLibrary: (home: string, text: string) => ReadonlyMap<string, Value> = () => new Map();
  /** Span to blame for faults without a span of their own. */
  at: Span = nowhere;
  /** Span of the text's call of the running library function. */
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

  /** Methods of a built-in type, by value kind; made on first use. */
  methodsOf(kind: string): ReadonlyMap<string, Method> | undefined {
    const known = this.#methods.get(kind) ?? this.methodMakers.get(kind)?.();
    if (known !== undefined) this.#methods.set(kind, known);
    return known;
  }

  /** Steps taken so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Charges evaluation steps, about one per part of an expression. */
  tick(steps: number, span: Span): void {
    this.#steps += steps;
    if (this.#steps > this.limits.steps) {
      this.halt("python/limit-steps", "the program takes too many steps", span);
    }
  }

  /** Charges container items before they are made. */
  allocate(cells: number, span: Span): void {
    this.#cells += cells;
    if (this.#cells > this.limits.cells) {
      this.halt("python/limit-memory", "the program makes too many values", span, "MemoryError");
    }
  }

  /** Charges UTF-16 units of a string before it is made. */
  allocateText(characters: number, span: Span): void {
    this.#characters += characters;
    if (this.#characters > this.limits.characters) {
      this.halt("python/limit-memory", "the program makes too much text", span, "MemoryError");
    }
  }

  /** Refuses an integer with too many bits before it is made. */
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

  /** Runs an action with its own budget of steps, independent of what the program has left. */
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

  /**
   * Runs an action one nesting level deeper, for recursion over nested data that involves no call.
   */
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

  /** Ends the statement with a diagnostic for Python features that the evaluator lacks. */
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

  /** Attribute that an unknown decorator adds to a function. */
  ofDecorator(callee: FunctionValue, name: string, span: Span): Value | undefined {
    const decorator = this.decorators.get(callee);
    if (decorator?.kind !== "host") return undefined;
    return decorator.type.attribute?.(decorator, name, this.context, span);
  }

  /** Unique number of an object, for `id(x)` and container keys. */
  identity(value: object): number {
    const known = this.#identities.get(value);
    if (known !== undefined) return known;
    this.#identities.set(value, this.#nextIdentity);
    return this.#nextIdentity++;
  }

  /**
   * Returns a known value; silently ends the statement for an unknown one, whose own statement
   * failed.
   */
  known(value: Value): Value {
    if (value.kind === "unknown") throw new PoisonedValueUsed();
    return value;
  }
}

const longText = 256;
const smallInteger = 1n << 62n;

/**
 * Charges the inspection of a long string or integer; container items are charged where they are
 * visited.
 */
export function chargeSize(rt: Runtime, value: Value, span: Span): void {
  if (value.kind === "str") {
    if (value.value.length > longText) rt.tick(value.value.length >> 3, span);
  } else if (value.kind === "int" && !isSmall(value.value)) {
    rt.tick(bitBound(value.value) >> 8, span);
  }
}

/** Charges a product or quotient of integers by the product of their lengths. */
export function chargeProduct(rt: Runtime, a: bigint, b: bigint, span: Span, times = 1): void {
  const words = (bitBound(a) / 64) * (bitBound(b) / 64);
  rt.tick(times * (1 + Math.floor(words / 64)), span);
}

/** Charges a search for one string in another by its worst case. */
export function chargeSearch(rt: Runtime, text: string, part: string, span: Span): void {
  rt.tick((text.length >> 3) + Math.floor((text.length * part.length) / 65_536), span);
}

function isSmall(value: bigint): boolean {
  return value < smallInteger && value > -smallInteger;
}

const bounds = Array.from({ length: 16 }, (_, at) => 64 << at);
const powers = bounds.map((bits) => 1n << BigInt(bits));

/**
 * Upper bound of an integer's bit length, at most twice as large (64 for small ones). It only
 * compares with powers of two, which is cheap, unlike counting bits.
 */
export function bitBound(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const at = powers.findIndex((power) => magnitude < power);
  return bounds[at] ?? 2 * (bounds.at(-1) ?? 0);
}
