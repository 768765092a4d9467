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

/**
 * Kind of an unknown callable: a function of a module, which an annotation can register, or a
 * method of tensors.
 */
type OpaqueKind = "function" | "method";

/**
 * Why results have no shape: the function is not read yet, or the values of its operands decide the
 * number of elements.
 */
export type Unread = "not-read" | "sized-by-values";

/** The decorator that registers an annotation for a function. */
const register = "nnscaler.register_op";

type CallRegistered = (
  assumed: Assumed,
  args: readonly Argument[],
  context: Context,
  span: Span,
) => Value | undefined;

/** Parts that operators for unknown functions need. */
interface OpaqueParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  /** Calls an assumed value that the text has registered as an operator. */
  readonly registered: CallRegistered;
  readonly systems: {
    /** The path of the tensor class. */
    readonly tensorClass: string;
    /** Whether objects of a class, given by its path, hold no parameters. */
    holdsNothing(path: string): boolean;
    /** Why the results of a function of a system have no known shape. */
    unread(path: string): Unread | undefined;
    /**
     * The code of the diagnostic with which a system reports that a function's results are assumed
     * to be like its first tensor.
     */
    guess(path: string): DiagnosticCode | undefined;
  };
}

/** Calls of functions without a known body or annotation: each becomes one replicated operator. */
export class OpaqueOperators {
  private readonly recorder: Recorder;
  private readonly tensors: TensorBindings;
  private readonly warned = new Set<string>();
  /** Objects passed to unknown functions, which may have set any attribute on them. */
  private readonly given = new WeakSet<Value>();
  /** Functions already reported as unknown. */
  private readonly unknown = new Set<string>();

  private readonly registered: CallRegistered;
  private readonly systems: OpaqueParts["systems"];

  constructor({ recorder, tensors, registered, systems }: OpaqueParts) {
    this.recorder = recorder;
    this.tensors = tensors;
    this.registered = registered;
    this.systems = systems;
  }

  /** Whether the policy is running, after the program itself. */
  get isInPolicy(): boolean {
    return this.recorder.trace.policy !== undefined;
  }

  /** An assumed value for a name that the text does not define. */
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
          // What the text defines under the name of a member is no member of a result.
          this.assumed(`${self.name}()`, {
            ...self,
            ...{ member: undefined, part: undefined, known: undefined },
          })
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

  /** Notes the objects passed to an unknown function, which may set any attribute on them. */
  giveTo(args: readonly Argument[]): void {
    for (const { value } of args) if (value.kind === "instance") this.given.add(value);
  }

  /**
   * An assumed attribute of an object that was passed to an unknown function; `undefined` for other
   * objects.
   */
  lacked(value: InstanceValue, name: string): Value | undefined {
    if (!this.given.has(value)) return undefined;
    return this.assumed(`${value.type.name}.${name}`, { isUnsaid: true });
  }

  /**
   * An unknown function called with only a function of the text returns that function unchanged: it
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
    // A lambda is an ordinary argument, even in a call that makes a decorator.
    if (only.value.name === "<lambda>") return undefined;
    context.report({
      code: "document/unknown-result",
      severity: "warning",
      message: `"${name}" is not known here: read as if it gave the function "${only.value.name}" back as it is`,
      span,
    });
    return only.value;
  }

  /**
   * Text of a registered operator that defines a function which the text calls without defining it.
   */
  private definition(name: string, args: readonly Argument[], source: string): string | undefined {
    const operands = this.operandsOf(args);
    if (operands === undefined || operands.length === 0) return undefined;
    const parameters = args.map((each, at) =>
      each.name === undefined ? `x${at}` : `${each.name}=None`,
    );
    return `${registerImport(register, source)}@${register}("${likeFirst(operands)}")\ndef ${name}(${parameters.join(", ")}): ...`;
  }

  /**
   * Calls an unknown function. Its results have no known shape, unless a system guesses that they
   * are like the first tensor. `undefined` if no argument is a tensor or the result holds no
   * parameters.
   */
  call(
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
    kind: OpaqueKind | "silent" = "function",
  ): Value | undefined {
    const inputs = args.flatMap(({ value }) => this.tensorsIn(value));
    // An object without parameters, such as an optimizer of some tensors, is no tensor either.
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
    // A function may return any data type; a method of a tensor usually returns the tensor's own.
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

  /**
   * An unknown member of a tensor. If called it is a method; any other use has an unknown result.
   */
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
   * The operands that an annotation of the call has to name; `undefined` if tensors are passed in a
   * list or by keyword.
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
   * Calls a function of the text as one replicated operator that planners do not look into. Its
   * result shapes come from tracing its body; if that fails, the call counts as one of an unknown
   * function.
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

  /** Reports, once per function, that the shape of its results is unknown. */
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

  /** Reports, once per function, that nnScaler does not know how it splits. */
  warn(name: string, context: Context, span: Span): void {
    if (this.warned.has(name)) return;
    this.warned.add(name);
    const code = "nnscaler/unknown-function";
    const message = `nnScaler does not know "${name}": it is replicated on every device; register a function around it to say how it splits`;
    context.report({ code, severity: "warning", message, span });
  }
}
