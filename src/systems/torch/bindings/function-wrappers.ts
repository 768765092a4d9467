import type { Span } from "#core/diagnostics";
import {
  callFunction,
  type OpaqueOperators,
  type RegisteredOperators,
  signatureOf,
  type Target,
  unknownSignature,
} from "#language/document/bindings";
import { hostFunction, none } from "#language/document/bindings/values";
import type { FunctionBody, Recorder } from "#language/document/trace";
import {
  type Argument,
  type ClassValue,
  type Context,
  type HostObject,
  type HostType,
  hostClass,
  type Value,
} from "#language/python";
import { wrappedIn } from "./wrapping-words.ts";

/** The parts of a run that the wrappers use. */
interface WrapperParts {
  readonly recorder: Recorder;
  readonly opaque: OpaqueOperators;
  readonly registered: RegisteredOperators;
  /** Whether the planner of the text's system knows a function, by its path. */
  readonly knowsFunction: (path: string) => boolean;
}

/** Wrappers of functions: `torch.compile` and `torch.autograd.Function`. */
export class FunctionWrappers {
  readonly autogradFunction: ClassValue;
  private readonly parts: WrapperParts;
  private readonly compiledType: HostType;
  /** Compiled functions that were already reported as not registered. */
  private readonly warned = new Set<Value>();

  constructor(parts: WrapperParts) {
    this.parts = parts;
    this.compiledType = {
      name: "function",
      isMethod: true,
      call: (self, args, context, span) => this.callCompiled(self, args, context, span),
      attribute: (self, name, context, span) => context.getAttribute(inside(self), name, span),
      text: () => "function",
    };
    this.autogradFunction = hostClass("Function", {
      apply: {
        kind: "classmethod",
        callee: hostFunction("apply", (args, context, span) =>
          this.applyFunction(args, context, span),
        ),
      },
    });
  }

  /** The function inside `torch.compile(…)`. */
  compiled(value: Value): Value | undefined {
    return value.kind === "host" && value.type === this.compiledType ? inside(value) : undefined;
  }

  /** A class that derives from `torch.autograd.Function` as something to register; else nothing. */
  targetOf(type: ClassValue, span: Span): Target | undefined {
    return type.mro.includes(this.autogradFunction) ? autogradTarget(type, span) : undefined;
  }

  /** `@torch.compile`, `@torch.compile(…)` and `torch.compile(function)`. */
  compileWord(): Value {
    const wrap = (value: Value): Value =>
      value.kind === "function" ? { kind: "host", type: this.compiledType, data: value } : value;
    const compile = (args: readonly Argument[]): Value | undefined => {
      const inside = wrappedIn(args);
      return inside && wrap(inside);
    };
    return hostFunction(
      "compile",
      (args) => compile(args) ?? hostFunction("compile", (inner) => compile(inner) ?? none),
    );
  }

  private callCompiled(
    self: HostObject,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const registered = this.parts.registered.of(self);
    if (registered !== undefined)
      return this.parts.registered.call(registered, args, context, span);
    const value = inside(self);
    const isTraced = this.parts.knowsFunction("torch.compile");
    if (value.kind === "function" && !isTraced && !this.warned.has(value)) {
      this.warned.add(value);
      const at = value.span.to;
      const line = `\nnnscaler.register_op('* -> *')(${value.name})`;
      const isPlain = value.parameters.length === 1;
      context.report({
        code: "nnscaler/compiled-not-registered",
        severity: "warning",
        message: `"${value.name}" is compiled but not registered: nnScaler would trace into the compiler and fail; register it with register_op`,
        span: value.nameSpan,
        upstream: "RuntimeError",
        ...(isPlain && {
          fixes: [{ title: "Register it", edits: [{ from: at, to: at, text: line }] }],
        }),
      });
    }
    return context.call(value, args, span);
  }

  /** `MyFunction.apply(…)`: as it is registered, else replicated. */
  private applyFunction(args: readonly Argument[], context: Context, span: Span): Value {
    const [self, ...inputs] = args;
    const type = self?.value;
    if (type?.kind !== "class") return none;
    const registered = this.parts.registered.of(type);
    if (registered !== undefined)
      return this.parts.registered.call(registered, inputs, context, span);
    const { label, body } = autogradTarget(type, span);
    if (this.parts.recorder.isInBody && body.kind === "callable")
      return callFunction(body, inputs, context, span);
    return this.parts.opaque.applied(label, body, inputs, context, span) ?? none;
  }
}

/** A `torch.autograd.Function`: its `apply` takes what its `forward` takes behind `ctx`. */
function autogradTarget(type: ClassValue, span: Span): Target {
  const forward = type.attributes.get("forward");
  const callee = forward?.kind === "staticmethod" ? forward.callee : forward;
  // `forward` has no `ctx` where a method `setup_context` saves the tensors for the backward pass.
  const takesContext = !type.mro.some(({ attributes }) => attributes.has("setup_context"));
  const signature =
    callee?.kind === "function" ? signatureOf(callee, takesContext ? 1 : 0) : unknownSignature;
  const body: FunctionBody =
    callee === undefined
      ? { kind: "none", reason: `"${type.name}" has no forward` }
      : { kind: "callable", callee, takesContext };
  return { identity: type, label: type.name, signature, body, span: type.nameSpan ?? span };
}

/** Only values of the compiled type come here. */
function inside(self: HostObject): Value {
  return self.data as Value;
}
