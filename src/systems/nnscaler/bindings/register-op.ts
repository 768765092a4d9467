import type { Span } from "#core/diagnostics";
import type { TransformRule } from "#core/dimops";
import {
  type AnnotationSource,
  assumedOf,
  functionTarget,
  type ModuleClasses,
  type RegisteredOperators,
  type RegisterOptions,
  type Target,
  unknownSignature,
} from "#language/document/bindings";
import { bindArguments, itemsOf, textOf } from "#language/document/bindings/values";
import type { Argument, ClassValue, Context, Value } from "#language/python";
import type { BoundTorch } from "#systems/torch";
import { ruleOf } from "./transform-rules.ts";

const parameterNames = [
  "annotation",
  "name",
  "code_impl_pattern",
  "emit_fn",
  "transform_rules",
  "input_gen_fn",
];

/** Services for registering operators. */
export interface RegisteringParts {
  readonly registered: RegisteredOperators;
  readonly modules: ModuleClasses;
  /** The torch bindings of the program; `undefined` until it uses torch. */
  readonly torch: () => BoundTorch | undefined;
}

/** `nnscaler.register_op(annotation, name, …)`: returns the decorator (dimops.md §4). */
export function registerOp(
  parts: RegisteringParts,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound, extra } = bindArguments(parameterNames, args);
  const [surplus] = extra;
  if (surplus !== undefined) {
    const what =
      surplus.name === undefined ? "too many arguments" : `no argument "${surplus.name}"`;
    return context.raise("TypeError", `register_op() takes ${what}`, surplus.span);
  }
  reportPattern(bound.get("code_impl_pattern"), context);
  const options: RegisterOptions = {
    annotation: annotationIn(bound.get("annotation"), context, span),
    name: textOf(bound.get("name")?.value),
    rules: rulesIn(bound.get("transform_rules"), context),
    emits: (bound.get("emit_fn")?.value.kind ?? "none") !== "none",
    generatesInputs: (bound.get("input_gen_fn")?.value.kind ?? "none") !== "none",
  };
  return {
    kind: "host-function",
    name: "register_op",
    call: ([target], inner, callSpan) => {
      const place = target?.span ?? callSpan;
      const value = target?.value ?? { kind: "none" };
      noteNested(inner, place);
      const found = targetIn(parts, value, inner, place);
      const made = parts.registered.register(found, options, inner);
      return value.kind === "class" ? value : made;
    },
  };
}

function reportPattern(argument: Argument | undefined, context: Context): void {
  const pattern = textOf(argument?.value);
  const fault = pattern === undefined ? undefined : checkPattern(pattern);
  if (argument === undefined || fault === undefined) return;
  context.report({
    code: "nnscaler/impl-pattern",
    severity: "error",
    message: fault.message,
    span: argument.span,
    upstream: fault.kind,
    fixes: [{ title: "Write 'import'", edits: [{ ...argument.span, text: "'import'" }] }],
  });
}

function annotationIn(
  argument: Argument | undefined,
  context: Context,
  span: Span,
): AnnotationSource {
  const text = textOf(argument?.value);
  if (argument !== undefined && text !== undefined) {
    const { from, to } = argument.span;
    const isLiteral = context.source.slice(from + 1, to - 1) === text;
    return { kind: "text", text, span: isLiteral ? { from: from + 1, to: to - 1 } : argument.span };
  }
  const value = argument?.value;
  if (argument === undefined || value === undefined) {
    const message = "register_op() missing 1 required positional argument: 'annotation'";
    return context.raise("TypeError", message, span);
  }
  if (value.kind === "ellipsis" || assumedOf(value) !== undefined) {
    return { kind: "missing", span: argument.span };
  }
  const isCallable = value.kind === "function" || value.kind === "method";
  if (isCallable || value.kind === "host-function") {
    return { kind: "function", callee: value, span: argument.span };
  }
  const message = "the annotation must be a text or a function that returns one";
  return context.raise("TypeError", message, argument.span);
}

function rulesIn(argument: Argument | undefined, context: Context): readonly TransformRule[] {
  if (argument === undefined || argument.value.kind === "none") return [];
  const items = itemsOf(argument.value) ?? [argument.value];
  return items.flatMap((item) => {
    const rule = ruleOf(item);
    if (rule !== undefined || assumedOf(item) !== undefined) return rule ?? [];
    const message = "transform_rules must be a tuple of TransformRule";
    return context.raise("TypeError", message, argument.span);
  });
}

/**
 * Notes a nested function: nnScaler registers only functions of the module, here any can be read.
 */
function noteNested(context: Context, span: Span): void {
  if (context.frames.length === 0) return;
  context.report({
    code: "nnscaler/nested-function",
    severity: "info",
    message: "nnScaler registers functions of a module only, not those inside a function or class",
    span,
  });
}

function targetIn(parts: RegisteringParts, value: Value, context: Context, span: Span): Target {
  const { registered, modules } = parts;
  const torch = parts.torch()?.wrappers;
  const inner = torch?.compiled(value);
  if (inner !== undefined) {
    const target = targetIn(parts, inner, context, span);
    return { ...target, identity: value };
  }
  if (value.kind === "function") return functionTarget(value);
  const type = value.kind === "method" && value.self.kind === "class" ? value.self : value;
  const applied = type.kind === "class" ? torch?.targetOf(type, span) : undefined;
  if (applied !== undefined) return applied;
  if (
    type.kind === "class" &&
    [modules.module, modules.cell].some((each) => type.mro.includes(each))
  ) {
    return context.raise("ValueError", moduleMessage(type), span, {
      code: "nnscaler/module-registered",
    });
  }
  const known = registered.registeredOf(value);
  if (known !== undefined) return { ...known, identity: known };
  const assumed = assumedOf(value);
  if (assumed !== undefined) {
    const label = assumed.name.split(".").at(-1) ?? assumed.name;
    const body = { kind: "none", reason: `"${label}" is not in this text` } as const;
    return { identity: assumed, label, signature: unknownSignature, body, span };
  }
  return context.raise("TypeError", "Expected a runtime function", span);
}

function moduleMessage({ name }: ClassValue): string {
  return `"${name}" is a PyTorch Module: register_op() takes functions only, because nnScaler manages all weights itself; register the function inside it`;
}

/** The exception with which `register_op` refuses an argument. */
export interface RegistrationFault {
  readonly kind: string;
  readonly message: string;
}

/**
 * Checks `code_impl_pattern`, which must be `import` or `source` (dimops.md §4); `undefined` if
 * valid.
 *
 * @internal
 */
export function checkPattern(pattern: string): RegistrationFault | undefined {
  if (pattern === "import" || pattern === "source") return undefined;
  const message = `code_impl_pattern must be 'import' or 'source', not '${pattern}'`;
  return { kind: "ValueError", message };
}
