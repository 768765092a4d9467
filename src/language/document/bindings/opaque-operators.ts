import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type { Argument, Context, InstanceValue, Value } from "#language/python";
import {
  annotationFor,
  likeFirst,
  type Operands,
  registerImport,
} from "../trace/annotation-for.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { FunctionBody, TracedTensor } from "../trace/traced.ts";
import { isUnknownTensor } from "../trace/traced-call.ts";
import { type Assumed, assumedOf, assumedValue } from "./assumed.ts";
import { shapesOfBody } from "./body-shapes.ts";
import type { TensorBindings } from "./tensors.ts";
import { itemsOf } from "./values/values.ts";

/** What a function is: one of a module, which an annotation can register, or a method. */
type OpaqueKind = "function" | "method";

/** A function that is not read yet, or whose results have as many elements as values say. */
export type Unread = "not-read" | "sized-by-values";

/** What gives a function an annotation. */
const register = "nnscaler.register_op";

type CallRegistered = (
  assumed: Assumed,
  args: readonly Argument[],
  context: Context,
  span: Span,
) => Value | undefined;

/** What operators for unknown functions are made of. */
interface OpaqueParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  /** Calls something assumed that the text has registered as an operator. */
  readonly registered: CallRegistered;
  readonly systems: {
    /** The path of the class of tensors. */
    readonly tensorClass: string;
    /**
     * Whether the object that a call makes holds no parameters, by the path of the called class.
     */
    holdsNothing(path: string): boolean;
    /** Why the results of a function of a system have no known shape. */
    unread(path: string): Unread | undefined;
    /**
     * The diagnostic by which a system reports that its function's results are taken to be like the
     * first tensor.
     */
    guess(path: string): DiagnosticCode | undefined;
  };
}

/**
 * Calls of functions without a known body or annotation: each is one operator that is replicated.
 */
export class OpaqueOperators {
  private readonly recorder: Recorder;
  private readonly tensors: TensorBindings;
  private readonly warned = new Set<string>();
  /** Objects that unknown functions were given, which may have set anything on them. */
  private readonly given = new WeakSet<Value>();
  /** Functions that are reported as unknown already. */
  private readonly unknown = new Set<string>();

  private readonly registered: CallRegistered;
  private readonly systems: OpaqueParts["systems"];

  constructor({ recorder, tensors, registered, systems }: OpaqueParts) {
    this.recorder = recorder;
    this.tensors = tensors;
    this.registered = registered;
    this.systems = systems;
  }

  /** Whether the program has run and its policy runs now. */
  get isInPolicy(): boolean {
    return this.recorder.trace.policy !== undefined;
  }

  /** A name that the text does not define. */
  assumed(
    name: string,
    {
      isStandIn = false,
      isUndefined = false,
      isUnsaid = false,
      isLeftOut,
      isTensor,
      member,
      part,
      known,
    }: Partial<Assumed> = {},
  ): Value {
    return assumedValue(name, {
      ...{ isStandIn, isUndefined, isUnsaid, isLeftOut, isTensor, member, part, known },
      call: (self, args, context, span) => {
        const given = known?.(args) ?? this.registered(self, args, context, span);
        if (given !== undefined) return given;
        this.recorder.trace.rounds.noteUnknown(self.name);
        this.giveTo(args);
        self.definition ??= this.definition(self.name, args, context.source);
        return (
          this.wrapped(self.name, args, context, span) ??
          this.call(self.name, args, context, span, self.isUndefined ? "silent" : "function") ??
          this.assumed(`${self.name}()`, { ...self, part: undefined, known: undefined })
        );
      },
      operate: (operator, operands, context, span) => {
        const entry = operator === "@" ? library.get("matmul") : undefined;
        const args = operands.map((value) => ({ value, span }));
        const style = { op: "matmul", reducesInside: false };
        return entry && this.tensors.call(entry, style, args, context, span);
      },
    });
  }

  /** Takes note that something unknown is given objects, and may set anything on them. */
  giveTo(args: readonly Argument[]): void {
    for (const { value } of args) if (value.kind === "instance") this.given.add(value);
  }

  /** What an object has under a name, which an unknown function may have set. */
  lacked(value: InstanceValue, name: string): Value | undefined {
    if (!this.given.has(value)) return undefined;
    return this.assumed(`${value.type.name}.${name}`, { isUnsaid: true });
  }

  /**
   * An unknown function that is called with a function of the text alone returns it unchanged: it
   * may be a decorator.
   */
  private wrapped(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value | undefined {
    const [only, ...others] = args;
    if (only?.value.kind !== "function" || only.name !== undefined || others.length > 0)
      return undefined;
    // A function without a name is an argument, of what makes a decorator too.
    if (only.value.name === "<lambda>") return undefined;
    context.report({
      code: "document/unknown-result",
      severity: "warning",
      message: `"${name}" is not known here: read as if it gave the function "${only.value.name}" back as it is`,
      span,
    });
    return only.value;
  }

  /** An operator that stands for a function which the text calls and does not define. */
  private definition(name: string, args: readonly Argument[], source: string): string | undefined {
    const operands = this.operandsOf(args);
    if (operands === undefined || operands.length === 0) return undefined;
    const parameters = args.map((each, at) =>
      each.name === undefined ? `x${at}` : `${each.name}=None`,
    );
    return `${registerImport(register, source)}@${register}("${likeFirst(operands)}")\ndef ${name}(${parameters.join(", ")}): ...`;
  }

  /** Calls an unknown function: of what it makes of tensors nothing is known. */
  call(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
    kind: OpaqueKind | "silent" = "function",
  ): Value | undefined {
    const inputs = args.flatMap(({ value }) => this.tensorsIn(value));
    // What holds no parameters, such as an optimizer of some tensors, is no tensor either.
    if (inputs.length === 0 || this.systems.holdsNothing(name)) return undefined;
    this.recorder.refuse(`it calls "${name}", which is not known here`, context, span);
    const guess = kind === "silent" ? undefined : this.systems.guess(name);
    if (kind !== "silent" && !inputs.some(isUnknownTensor))
      this.say(name, kind, guess, args, context, span);
    if (kind === "function" && name.includes("()")) this.recorder.trace.rounds.ofUnknown += 1;
    const op = name.split(".").at(-1) ?? name;
    const annotations = guess === undefined ? [] : [{ text: likeFirst(inputs) }];
    const base = { op, stem: op, annotations, inputs, integers: {}, linear: [], span };
    const results = guess === undefined ? "unknown" : "guessed";
    const call = { ...base, reducesInside: false, isReplicated: true, results } as const;
    const made = this.recorder.call(call, context);
    // A function may give any type; a method of a tensor most often gives the tensor's own.
    if (guess === undefined && kind !== "method")
      for (const each of made) each.isTypeAssumed = true;
    return this.tensors.result(made);
  }

  /** Calls an unknown method of tensors, the receiver first. */
  callMethod(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value | undefined {
    return this.call(`${this.systems.tensorClass}.${name}`, args, context, span, "method");
  }

  /** A member of a tensor that nobody knows: called it is a method, and else what follows is unknown. */
  member(self: Value, name: string): Value {
    const path = `${this.systems.tensorClass}.${name}`;
    return assumedValue(path, {
      isUnsaid: true,
      call: (_, args, context, span) =>
        this.callMethod(name, [{ value: self, span }, ...args], context, span) ??
        this.assumed(`${path}()`),
      operate: (_, operands, context, span) => {
        const given = [self, ...operands].filter((each) => this.tensors.tensorOf(each));
        for (const each of operands.flatMap((value) => assumedOf(value) ?? []))
          this.tensors.sayUnsaid(each, context, span);
        return this.tensors.unknownResult(name, given, context, span);
      },
    });
  }

  private tensorsIn(value: Value): readonly TracedTensor[] {
    const values = itemsOf(value) ?? [value];
    return values.flatMap((each) => this.tensors.tensorOf(each) ?? []);
  }

  /**
   * The operands that an annotation of the call has to name; `undefined` where tensors stand in a
   * list or are passed by name.
   */
  private operandsOf(args: readonly Argument[]): Operands | undefined {
    const isPlain = ({ name, value }: Argument) =>
      name === undefined && this.tensors.tensorOf(value) !== undefined;
    const isOther = (each: Argument) => this.tensorsIn(each.value).length > 0 && !isPlain(each);
    if (args.some(isOther)) return undefined;
    return args
      .slice(0, args.findLastIndex(isPlain) + 1)
      .map(({ value }) => this.tensors.tensorOf(value));
  }

  /**
   * Calls a function of the text that no planner looks into: one operator that runs whole, and what
   * it makes is as its body says, where that can be traced; one that is left out is read as one that
   * gives what is like its first tensor.
   */
  applied(
    label: string,
    body: FunctionBody,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value | undefined {
    const inputs = args.flatMap(({ value }) => this.tensors.tensorOf(value) ?? []);
    const text = inputs.some(isUnknownTensor)
      ? undefined
      : shapesOfBody(this.recorder, this.tensors, body, args, context, span);
    if (text === undefined) return this.call(label, args, context, span);
    this.warn(label, context, span);
    const call = { op: label, stem: label, annotations: [{ text }], inputs, integers: {} } as const;
    const rest = { linear: [], reducesInside: false, isReplicated: true, span } as const;
    return this.tensors.result(this.recorder.call({ ...call, ...rest }, context));
  }

  /** Says once of each function that nobody knows what it makes. */
  private say(
    name: string,
    kind: OpaqueKind,
    guess: DiagnosticCode | undefined,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): void {
    if (this.unknown.has(name)) return;
    this.unknown.add(name);
    const isAnnotated = kind === "function" && guess === undefined;
    const operands = isAnnotated ? this.operandsOf(args) : undefined;
    const fix =
      operands && annotationFor(name, operands, register, { source: context.source, call: span });
    const remedy = guess === undefined ? "; write an annotation for it" : "";
    const unread = this.systems.unread(name);
    const message =
      unread === "sized-by-values"
        ? `"${name}" gives as many elements as the values of its operands say, which a graph does not have: its results, and what follows from them, have no known shape`
        : `"${name}" is not ${unread === "not-read" ? "read yet" : "known here"}: what it makes, and what follows from it, has no known shape${remedy}`;
    const code = guess ?? "document/unknown-result";
    context.report({ code, severity: "warning", message, span, ...(fix && { fixes: [fix] }) });
  }

  /** Says once of each function that nnScaler does not know how it splits. */
  warn(name: string, context: Context, span: Span): void {
    if (this.warned.has(name)) return;
    this.warned.add(name);
    const code = "nnscaler/unknown-function";
    const message = `nnScaler does not know "${name}": it is replicated on every device; register a function around it to say how it splits`;
    context.report({ code, severity: "warning", message, span });
  }
}
