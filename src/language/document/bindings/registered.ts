import type { Diagnostic, Span } from "#core/diagnostics";
import { lostIdentifiers, type OpAnno, parseAnnotation } from "#core/dimops";
import type {
  Argument,
  Context,
  FunctionValue,
  HostObject,
  HostType,
  Value,
} from "#language/python";
import { checkRegistered } from "../trace/recorder-limits.ts";
import type { FunctionBody } from "../trace/traced.ts";
import { annotationAbove } from "./annotation-comment.ts";
import { factsOf, unsafeOutputs } from "./body-lints.ts";
import { callFunction } from "./call-function.ts";
import { callRegistered, type Setting } from "./registered-call.ts";
import type { AnnotationSource, Registered, RegisterOptions, Target } from "./registration.ts";
import { signatureOf } from "./signature.ts";
import { textOf } from "./values/values.ts";

/** Functions registered as operators, by a comment or by `nnscaler.register_op`. */
export class RegisteredOperators {
  readonly registered: Registered[] = [];
  private readonly byIdentity = new Map<object, HostObject>();
  private readonly setting: Setting;
  private readonly type: HostType;

  constructor(setting: Setting) {
    this.setting = setting;
    this.type = {
      name: "function",
      call: (self, args, context, span) => this.call(registeredOf(self), args, context, span),
      attribute: (self, name) =>
        name === "__name__" ? { kind: "str", value: registeredOf(self).label } : undefined,
      text: (self) => registeredOf(self).label,
    };
  }

  /**
   * Registers a function with a `# annotation: …` comment directly above it; `undefined` without
   * one.
   */
  fromComment(value: Value, span: Span, context: Context): Value | undefined {
    if (value.kind !== "function") return undefined;
    const found = annotationAbove(context.source, span.from);
    if (found === undefined) return undefined;
    const annotation = { kind: "text", ...found } as const;
    return this.register(
      functionTarget(value),
      { annotation, name: undefined, rules: [] },
      context,
    );
  }

  /** The registration of a function, class or import, if there is one. */
  of(identity: object): Registered | undefined {
    const made = this.byIdentity.get(identity);
    return made && registeredOf(made);
  }

  /**
   * The operator value for a plain function that a call registered; `undefined` for other
   * functions.
   */
  standIn(func: FunctionValue): Value | undefined {
    return this.byIdentity.get(func);
  }

  /** Registers a target and returns the value that the program calls from then on. */
  register(target: Target, options: RegisterOptions, context: Context): HostObject {
    checkRegistered(this.registered.length, target.span, context);
    const { func, identity, label, signature } = target;
    const facts = func === undefined ? undefined : factsOf(func, context.source);
    const registered: Registered = {
      name: options.name ?? label,
      label,
      signature,
      annotation: options.annotation,
      rules: options.rules,
      body: options.emits === true ? emitted : target.body,
      generatesInputs: options.generatesInputs === true,
      changed: facts?.changed ?? [],
      span: target.span,
      called: false,
    };
    const earlier = this.registered.find((other) => other.name === registered.name);
    if (earlier !== undefined) context.report(registeredTwice(registered, earlier));
    this.registered.push(registered);
    const made: HostObject = { kind: "host", type: this.type, data: registered };
    this.byIdentity.set(identity, made);
    if (options.annotation.kind === "text") {
      const parsed = parseAnnotation(options.annotation.text);
      const checked = parsed.ok ? parsed.value : undefined;
      if (checked !== undefined) {
        for (const lint of lintsOf(registered, checked, func, context)) context.report(lint);
      }
    }
    return made;
  }

  /** Registration behind a Python value; `undefined` for other values. */
  registeredOf(value: Value): Registered | undefined {
    return value.kind === "host" && value.type === this.type ? registeredOf(value) : undefined;
  }

  call(
    registered: Registered,
    args: readonly Argument[],
    context: Context,
    span: Span,
    isDrawn = false,
  ): Value {
    registered.called = true;
    if (this.setting.recorder.isInBody) return this.callBody(registered, args, context, span);
    return callRegistered(this.setting, registered, args, context, span, isDrawn);
  }

  /** Calls a registered function as a plain one, inside another function's body. */
  private callBody(
    { body, label }: Registered,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    if (body.kind === "callable") return callFunction(body, args, context, span);
    this.setting.recorder.refuse(`it calls "${label}": ${body.reason}`, context, span);
    return { kind: "none" };
  }

  /**
   * Draws every registered operator that the program never calls, on inputs named like its
   * parameters. In a program that runs other operators they are only reported, since drawing would
   * add them to its cost.
   */
  drawUncalled(context: Context, isBesideProgram: boolean): void {
    const uncalled = this.registered.filter(
      ({ name, called }, index) =>
        !called && !this.registered.slice(index + 1).some((later) => later.name === name),
    );
    if (isBesideProgram && uncalled.length > 0) context.report(leftOut(uncalled));
    if (isBesideProgram) return;
    for (const registered of uncalled) {
      const isQuiet = registered.annotation.kind === "function";
      context.attempt(() => this.draw(registered, context), { isQuiet });
    }
  }

  private draw(registered: Registered, context: Context): void {
    const { signature, annotation, span } = registered;
    if (annotation.kind === "missing") return;
    const isVariadic = signature.parameters.some(({ kind }) => kind === "var-positional");
    const text = annotation.kind === "text" ? annotation.text : undefined;
    const plain = signature.parameters.filter(({ kind }) => !kind.startsWith("var-"));
    const isKnown = plain.length > 0 && !isVariadic;
    const required = plain.filter(({ name }) => !signature.defaults.has(name));
    const probe = text ?? (isKnown ? undefined : this.probe(annotation, context));
    const count = (probe === undefined ? undefined : annotatedInputs(probe)) ?? required.length;
    const { tensors } = this.setting;
    const names = Array.from({ length: count }, (_, index) => {
      const parameter = plain[index];
      return { name: parameter?.name ?? inputName(index), span: parameter?.span ?? span };
    });
    if (isKnown && plain.length < count) return;
    const args = names.map(
      ({ name, span: place }): Argument => ({
        value: tensors.object(tensors.assumedInput(name, place, context, false)),
        span: place,
      }),
    );
    this.call(registered, args, context, span, true);
  }

  /**
   * Annotation that an annotation function returns without arguments, to learn its number of
   * inputs.
   */
  private probe(annotation: AnnotationSource, context: Context): string | undefined {
    if (annotation.kind !== "function") return undefined;
    const { callee, span } = annotation;
    return textOf(context.attempt(() => context.call(callee, [], span)));
  }
}

/** Note that lists functions which are registered but never called, and so not drawn. */
function leftOut(uncalled: readonly Registered[]): Diagnostic {
  const names = uncalled.map(({ label }) => `"${label}"`).join(", ");
  const [are, them] = uncalled.length === 1 ? ["is", "it is"] : ["are", "they are"];
  return {
    code: "document/never-called",
    severity: "info",
    message: `${names} ${are} registered and never called: ${them} not drawn`,
    span: uncalled[0]?.span ?? { from: 0, to: 0 },
    fixes: [],
  };
}

/** A function of the text as the target of a registration. */
export function functionTarget(func: FunctionValue): Target {
  return {
    identity: func,
    label: func.name,
    signature: signatureOf(func),
    func,
    body: { kind: "callable", callee: func, takesContext: false },
    span: func.nameSpan,
  };
}

const emitted: FunctionBody = { kind: "none", reason: "an emit_fn writes its code" };

/** The cast is safe: only values of the operator type reach these methods. */
function registeredOf(self: HostObject): Registered {
  return self.data as Registered;
}

function inputName(index: number): string {
  return index === 0 ? "x" : `x${index + 1}`;
}

/** Number of inputs in an annotation; `undefined` for invalid text, which a call reports. */
function annotatedInputs(text: string): number | undefined {
  const parsed = parseAnnotation(text);
  return parsed.ok ? parsed.value.inputs.length : undefined;
}

function registeredTwice(registered: Registered, earlier: Registered): Diagnostic {
  return {
    code: "nnscaler/registered-twice",
    severity: "info",
    message: `"${registered.name}" is registered twice: the later registration counts`,
    span: registered.span,
    related: [{ message: "registered here before", span: earlier.span }],
    upstream: "AssertionError",
  };
}

/** Diagnostics for mistakes that nnScaler does not check and that give wrong results silently. */
function lintsOf(
  registered: Registered,
  annotation: OpAnno,
  func: FunctionValue | undefined,
  context: Context,
): readonly Diagnostic[] {
  const lost = lostAxes(registered, annotation);
  if (func === undefined) return lost;
  const facts = factsOf(func, context.source);
  const names = func.parameters.map(({ name }) => name);
  const unsafe = unsafeOutputs(annotation, names, facts).map(
    ({ returned, parameter }): Diagnostic => ({
      code: "nnscaler/dependent-output",
      severity: "warning",
      message: `"${returned}" is marked "?" but depends on "${parameter}", which may be split: its value would be wrong; mark the dims of "${parameter}" with "^"`,
      span: func.nameSpan,
    }),
  );
  const silent = facts.changed.filter((name) => !facts.returned.includes(name));
  const changed = silent.map(
    (name): Diagnostic => ({
      code: "nnscaler/changed-not-returned",
      severity: "warning",
      message: `"${registered.label}" changes "${name}" in place but does not return it: nnScaler cannot track the change`,
      span: func.nameSpan,
    }),
  );
  return [...lost, ...unsafe, ...changed];
}

/**
 * Warnings for identifiers without a reduction mark that no output has; two fixes offer the
 * possible meanings.
 */
function lostAxes({ annotation }: Registered, parsed: OpAnno): readonly Diagnostic[] {
  if (annotation.kind !== "text") return [];
  const at = (span: Span): Span => ({
    from: annotation.span.from + span.from,
    to: annotation.span.from + span.to,
  });
  const all = [...parsed.inputs, ...parsed.outputs]
    .flatMap(({ dims }) => dims)
    .flatMap(({ identifiers }) => identifiers);
  return lostIdentifiers(parsed).flatMap((lost): Diagnostic[] => {
    const places = all.filter(({ name }) => name === lost).map(({ span }) => at(span));
    const [first] = places;
    if (first === undefined) return [];
    const marked = (mark: string, title: string) => ({
      title,
      edits: places.map(({ to }) => ({ from: to, to, text: mark })),
    });
    const isKept = parsed.outputs.some(({ dims }) =>
      dims.some(({ identifiers }) => identifiers.some(({ name }) => name === lost)),
    );
    const whole = marked("^", `Keep "${lost}" whole: ${lost}^`);
    const summed = marked("+", `Sum over "${lost}": ${lost}+`);
    return [
      {
        code: "nnscaler/axis-lost",
        severity: "warning",
        message: `an output lacks "${lost}", which may be split: nnScaler would replicate wrong values; write "${lost}+" if the function sums over it, "${lost}^" if it must stay whole`,
        span: first,
        fixes: isKept ? [whole] : [summed, whole],
      },
    ];
  });
}
