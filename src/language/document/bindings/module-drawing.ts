// Modules that a text defines or makes but never calls, run on assumed inputs so that they are drawn.

import type { Span } from "#core/diagnostics";
import type { Argument, ClassValue, Context, InstanceValue, Value } from "#language/python";
import type { ModuleClasses } from "./module-classes.ts";
import { lacksSelf } from "./module-run.ts";
import type { TensorBindings } from "./tensors.ts";

/** What drawing a module needs. */
export interface DrawingSetting {
  readonly classes: ModuleClasses;
  readonly tensors: TensorBindings;
  /** Something of which only the name is known. */
  readonly unknown: (name: string) => Value;
}

/** Calls a module on inputs named like the parameters of its method. */
export function drawModule(
  { classes, tensors }: DrawingSetting,
  instance: InstanceValue,
  context: Context,
  options: { readonly isQuiet: boolean } = { isQuiet: false },
): void {
  const name = classes.methodOf(instance.type);
  const place = instance.type.nameSpan ?? { from: 0, to: 0 };
  const method = context.attempt(() => context.getAttribute(instance, name, place));
  const func = method?.kind === "method" ? method.callee : method;
  if (method === undefined || func?.kind !== "function") return;
  const parameters = func.parameters.slice(lacksSelf(func) ? 0 : 1);
  const wanted = parameters.filter(
    (each) => each.kind.startsWith("positional") && each.defaultTree === undefined,
  );
  const args = wanted.map(({ name: input, span, annotationSpan }): Argument => {
    const annotation =
      annotationSpan && context.source.slice(annotationSpan.from, annotationSpan.to);
    return { value: assumedArgument(tensors, input, annotation, span, context), span };
  });
  const assumes = `"${instance.type.name}" is never called, and drawn with inputs of assumed shapes`;
  context.attempt(() => classes.run(instance, args, context, func.nameSpan), {
    ...options,
    ...(args.length > 0 && { assumes }),
  });
}

/** Makes a module that the program only defines, with assumed arguments, and draws it. */
export function makeModule(setting: DrawingSetting, type: ClassValue, context: Context): void {
  const span = type.nameSpan ?? { from: 0, to: 0 };
  const init = type.mro.map(({ attributes }) => attributes.get("__init__")).find(Boolean);
  const parameters = init?.kind === "function" ? init.parameters.slice(1) : [];
  const wanted = parameters.filter(
    ({ kind, defaultTree }) => !kind.startsWith("var-") && defaultTree === undefined,
  );
  const args = wanted.map(({ name, span: place }): Argument => {
    const number = assumedNumber(name);
    const value: Value =
      number === undefined ? setting.unknown(name) : { kind: "int", value: BigInt(number) };
    return { name, value, span: place };
  });
  const isQuiet = args.length > 0;
  if (isQuiet) {
    const shown = wanted.map(({ name }) => `${name}=${assumedNumber(name) ?? "..."}`).join(", ");
    context.report({
      code: "document/assumed-arguments",
      severity: "info",
      message: `"${type.name}" is never made: it is drawn with ${shown}`,
      span,
    });
  }
  const made = context.attempt(() => context.call(type, args, span), { isQuiet });
  if (made?.kind === "instance") drawModule(setting, made, context, { isQuiet });
}

/** A value for a parameter that nobody passes: a tensor, unless its type hint says otherwise. */
function assumedArgument(
  tensors: TensorBindings,
  name: string,
  annotation: string | undefined,
  span: Span,
  context: Context,
): Value {
  const hint = annotation?.trim();
  if (hint === "bool") return { kind: "bool", value: false };
  if (hint === "int" || hint === "float") return { kind: "int", value: 0n };
  return tensors.object(tensors.assumedInput(name, span, context, false));
}

/** A number for an argument of a constructor, after its name. */
function assumedNumber(name: string): number | undefined {
  if (/arg|config|cfg|param|opt|hparam/.test(name)) return undefined;
  if (/drop|eps|prob|rate/.test(name)) return 0;
  if (/vocab/.test(name)) return 64;
  if (/layer|depth|block|head|group|expert/.test(name)) return 2;
  return 16;
}
