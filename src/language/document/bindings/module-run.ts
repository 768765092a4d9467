import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Argument, Context, FunctionValue, InstanceValue, Value } from "#language/python";
import { assumedOf } from "./assumed.ts";
import type { TensorBindings } from "./tensors.ts";

/** Refuses a call of a module's method without one of its inputs, with a fix that passes it. */
export function requireInputs(
  func: FunctionValue,
  args: readonly Argument[],
  context: Context,
  span: Span,
): void {
  const given = args.filter(({ name }) => name === undefined).length;
  const named = new Set(args.map(({ name }) => name));
  const [missing, another] = func.parameters
    .filter(({ kind }) => kind.startsWith("positional"))
    .slice(given + 1)
    .filter(({ name }) => !func.defaults.has(name) && !named.has(name));
  if (missing === undefined || another !== undefined) return;
  const at = span.to - 1;
  if (args.some(({ value }) => value.kind === "unknown") || context.source[at] !== ")") return;
  const text = `${missing.name}=Tensor()`;
  const lead = /[(,]$/.test(context.source.slice(span.from, at).trimEnd()) ? "" : ", ";
  const fix = { title: `Pass ${text}`, edits: [{ from: at, to: at, text: `${lead}${text}` }] };
  const message = `${func.qualifiedName}() missing 1 required positional argument: '${missing.name}'`;
  context.raise("TypeError", message, span, { fixes: [fix] });
}

/** Diagnostic for a module's method that returns nothing; `undefined` when it returns or raises. */
export function returnsNothing(
  func: FunctionValue,
  type: string,
  source: string,
): Diagnostic | undefined {
  const body = source.slice(func.bodySpan.from, func.bodySpan.to);
  if (/\b(return|yield|raise|pass)\b|\.\.\./.test(body)) return undefined;
  return {
    code: "document/returns-nothing",
    severity: "warning",
    message: `"${func.name}" of "${type}" returns nothing: its result is None`,
    span: func.nameSpan,
    fixes: returningLast(func, source),
  };
}

/** Fix that returns the variable of the last statement; empty when it is no assignment. */
function returningLast({ bodySpan: { from, to } }: FunctionValue, source: string): readonly Fix[] {
  const indent = source.slice(source.lastIndexOf("\n", from - 1) + 1, from);
  const lines = source
    .slice(from - indent.length, to)
    .trimEnd()
    .split("\n");
  const own = lines.filter(
    (line) => line.startsWith(indent) && /^\S/.test(line.slice(indent.length)),
  );
  const name = /^(\w+)\s*=[^=]/.exec(own.at(-1)?.slice(indent.length) ?? "")?.[1];
  if (name === undefined || !/^[ \t]+$/.test(indent)) return [];
  const edit = { from: to, to, text: `\n${indent}return ${name}` };
  return [{ title: `Return ${name} at the end`, edits: [edit] }];
}

const usualReceivers = /^_?(self|this|cls)$/;

/**
 * Whether a module's method lacks `self`, so that its first parameter is an input. It has one when
 * the name is usual, equals that in `__init__`, or the body reads a module attribute from it.
 */
export function lacksSelf(func: FunctionValue, self: InstanceValue, source: string): boolean {
  const [first] = func.parameters;
  if (first?.kind !== "positional" || usualReceivers.test(first.name)) return false;
  const isOfInit = self.type.mro.some(({ attributes }) => {
    const init = attributes.get("__init__");
    return init?.kind === "function" && init.parameters[0]?.name === first.name;
  });
  if (isOfInit) return false;
  const body = source.slice(func.bodySpan.from, func.bodySpan.to);
  const read = body.matchAll(new RegExp(`(?<![\\w.])${first.name}\\.(\\w+)`, "gu"));
  return ![...read].some(([, name = ""]) => self.attributes.has(name));
}

/** Diagnostic for a module's method without `self`, with a fix that adds it. */
export function missingSelf(func: FunctionValue, type: string): Diagnostic {
  const { from } = func.parameters[0]?.span ?? func.nameSpan;
  const lead = func.parameters.length === 0 ? "self" : "self, ";
  return {
    code: "document/missing-self",
    severity: "warning",
    message: `"${func.name}" of "${type}" has no self: all its parameters are read as inputs`,
    span: func.nameSpan,
    upstream: "TypeError",
    ...(func.parameters.length > 0 && {
      fixes: [{ title: "Add self", edits: [{ from, to: from, text: lead }] }],
    }),
  };
}

/** Result of a module. An unknown result counts as a tensor made from the module's inputs. */
export function madeBy(
  tensors: TensorBindings,
  module: string,
  result: Value,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const tensor = (value: Value): Value => {
    if (!isOpen(value)) return value;
    const given = args.map((each) => each.value).filter((each) => tensors.tensorOf(each));
    return given.length > 0
      ? tensors.unknownResult(module, given, context, span)
      : tensors.object(tensors.unknownInput(module, context, span));
  };
  if (result.kind !== "tuple" || !result.items.some(isOpen)) return tensor(result);
  return { ...result, items: result.items.map(tensor) };
}

function isOpen(value: Value): boolean {
  const assumed = assumedOf(value);
  return assumed !== undefined && assumed.isStandIn !== true && assumed.isOfUnknown !== true;
}
