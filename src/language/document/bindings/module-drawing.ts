// Modules that a text defines or makes but never calls: run on assumed inputs so that they are
// drawn.

import type { Diagnostic, Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import type {
  Argument,
  ClassValue,
  Context,
  InstanceValue,
  SpanTree,
  Value,
} from "#language/python";
import {
  type AssumedArgument,
  assumedArguments,
  makerOf,
  takesAnything,
} from "./assumed-arguments.ts";
import { documentedRank } from "./documented-rank.ts";
import { giveRank } from "./guessed-rank.ts";
import { isTargetName } from "./model-settings.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { lacksSelf } from "./module-run.ts";
import type { TensorBindings } from "./tensors.ts";
import { unpackedNames } from "./unpacked-parameters.ts";
import { integer } from "./values/values.ts";

/** Services needed to draw a module. */
export interface DrawingSetting {
  readonly classes: ModuleClasses;
  readonly tensors: TensorBindings;
  /** An unknown value with a name. */
  readonly unknown: (name: string) => Value;
  /** The number of operators drawn so far. */
  readonly drawn: () => number;
}

/** Calls a module on inputs named like the parameters of its method. */
export function drawModule(
  { classes, tensors }: DrawingSetting,
  instance: InstanceValue,
  context: Context,
  options: { readonly isQuiet: boolean; readonly onFault?: (fault: Diagnostic) => void } = {
    isQuiet: false,
  },
): void {
  const name = classes.methodOf(instance.type);
  const place = instance.type.nameSpan ?? { from: 0, to: 0 };
  const method = context.attempt(() => context.getAttribute(instance, name, place));
  const func = method?.kind === "method" ? method.callee : method;
  if (method === undefined || func?.kind !== "function") return;
  const parameters = func.parameters.slice(lacksSelf(func, instance, context.source) ? 0 : 1);
  const textOf = (tree: SpanTree | undefined) =>
    tree && context.source.slice(tree.span.from, tree.span.to);
  const required = parameters.filter(
    ({ kind, defaultTree }) => !kind.startsWith("var-") && defaultTree === undefined,
  );
  const isGiven = required.length > 0 ? isTarget : isInput;
  const wanted = parameters.filter(
    (each) => required.includes(each) || isGiven(each.name, textOf(each.defaultTree)),
  );
  const args = wanted.map((parameter): Argument => {
    const { name: input, span, annotationSpan, defaultTree } = parameter;
    const isNamed = defaultTree !== undefined || parameter.kind === "keyword-only";
    const annotation =
      annotationSpan && context.source.slice(annotationSpan.from, annotationSpan.to);
    const rank = documentedRank(func, input, context.source) ?? fieldOf(usualRanks, input);
    const names = unpackedNames(input, context.source);
    const open = { name: input, annotation, rank };
    return {
      ...(isNamed && { name: input }),
      value:
        names === undefined
          ? assumedArgument(tensors, open, span, context)
          : unpackedArgument(tensors, open, names, span, context),
      span,
    };
  });
  if (args.length === 0 && takesAnything(parameters)) args.push(anyInput(tensors, place, context));
  const assumes = `"${instance.type.name}" is never called, and drawn with inputs of assumed shapes`;
  context.attempt(() => classes.run(instance, args, context, func.nameSpan), {
    ...options,
    ...(args.length > 0 && { assumes }),
  });
}

/** Assumed input of a module that only passes its arguments on: `def forward(self, *args)`. */
function anyInput(tensors: TensorBindings, span: Span, context: Context): Argument {
  const open = { name: "x", annotation: undefined, rank: undefined };
  return { value: assumedArgument(tensors, open, span, context), span };
}

/** Whether an optional parameter is the targets of a loss. */
function isTarget(name: string, byDefault: string | undefined): boolean {
  return byDefault === "None" && isTargetName(name);
}

/** Ranks of model inputs by their usual names. */
const usualRanks: Readonly<Record<string, number>> = {
  input_ids: 2,
  decoder_input_ids: 2,
  pixel_values: 4,
  input_features: 3,
  input_values: 2,
};

/** Whether an optional parameter is a model input. */
function isInput(name: string, byDefault: string | undefined): boolean {
  return byDefault === "None" && fieldOf(usualRanks, name) !== undefined;
}

/**
 * Makes a module class that the program only defines, with assumed arguments, and draws it.
 *
 * @returns the fault that stopped the module before any operator was drawn
 */
export function makeModule(
  setting: DrawingSetting,
  type: ClassValue,
  globals: ReadonlyMap<string, Value>,
  context: Context,
): Diagnostic | undefined {
  const span = type.nameSpan ?? { from: 0, to: 0 };
  if (makeByOwn(setting, type, globals, context)) return undefined;
  const assumed = assumedArguments(type, globals, context.source).map((each) => {
    const value = argumentValue(each, span, context);
    return value === undefined
      ? { ...each, text: "...", value: setting.unknown(each.name) }
      : { ...each, value };
  });
  let fault: Diagnostic | undefined;
  const quietly = {
    isQuiet: assumed.length > 0,
    onFault: (each: Diagnostic) => {
      fault ??= each;
    },
  };
  const args = assumed.map(({ name, value }): Argument => ({ name, value, span }));
  const before = setting.drawn();
  const made = context.attempt(() => context.call(type, args, span), quietly);
  if (made?.kind === "instance") drawModule(setting, made, context, quietly);
  if (assumed.length === 0) return undefined;
  const shown = assumed.map(({ name, text }) => `${name}=${text}`).join(", ");
  const said = { code: "document/assumed-arguments", severity: "info", span } as const;
  const stopped: Diagnostic | undefined = fault && {
    ...said,
    message: `"${type.name}" is not drawn with ${shown}: ${reasonIn(fault, context.source)}`,
    related: [{ message: "it ends here", span: fault.span ?? span }],
  };
  if (setting.drawn() === before) return stopped;
  context.report({
    ...said,
    message: `"${type.name}" is never made: it is drawn with ${shown}`,
  });
  if (fault !== undefined)
    context.report({
      ...fault,
      severity: "warning",
      message: `${fault.message}: "${type.name}", which is never made, is drawn with assumed arguments up to here`,
    });
  return undefined;
}

/**
 * Draws a module made by a function of the text, when its constructor needs arguments. Returns
 * whether that worked.
 */
function makeByOwn(
  setting: DrawingSetting,
  type: ClassValue,
  globals: ReadonlyMap<string, Value>,
  context: Context,
): boolean {
  if (assumedArguments(type, globals, context.source).length === 0) return false;
  const maker = makerOf(type, globals, context.source);
  if (maker === undefined) return false;
  const span = type.nameSpan ?? { from: 0, to: 0 };
  const made = context.attempt(() => context.call(maker, [], span), { isQuiet: true });
  if (made?.kind !== "instance" || made.type !== type) return false;
  context.report({
    ...{ code: "document/assumed-maker", severity: "info", span },
    message: `"${type.name}" is never made: it is drawn as ${maker.name}() makes it`,
  });
  drawModule(setting, made, context);
  return true;
}

/**
 * Reason why a module stopped: the error's message, or the text of an assertion without a message.
 */
function reasonIn({ code, message, span }: Diagnostic, source: string): string {
  if (code === "python/key-error") return `there is no key ${message}`;
  if (code !== "python/assertion-error" || message !== "AssertionError" || span === undefined)
    return message;
  return `"${source.slice(span.from, span.to).split("\n")[0]}" does not hold`;
}

/** Value of an assumed argument; `undefined` when the text does not tell how it is made. */
function argumentValue(
  { config, plain, held }: AssumedArgument,
  span: Span,
  context: Context,
): Value | undefined {
  if (held !== undefined) return held;
  if (plain !== undefined) return plain;
  if (config === undefined) return undefined;
  const fields = [...config.open].map(([name, value]) => ({ name, value: integer(value), span }));
  return context.attempt(() => context.call(config.type, fields, span), { isQuiet: true });
}

/** A parameter that no call passes, with its type hint and documented rank. */
interface OpenParameter {
  readonly name: string;
  readonly annotation: string | undefined;
  readonly rank: number | undefined;
}

/**
 * Tuple of assumed tensors for a parameter that the text unpacks, named like the unpacked
 * variables.
 */
function unpackedArgument(
  tensors: TensorBindings,
  open: OpenParameter,
  names: readonly string[],
  span: Span,
  context: Context,
): Value {
  const items = names.map((name) =>
    assumedArgument(tensors, { ...open, name, annotation: undefined }, span, context),
  );
  return { kind: "tuple", items };
}

/**
 * Assumed value of a parameter that no call passes: a tensor, unless its type hint says otherwise.
 */
function assumedArgument(
  tensors: TensorBindings,
  { name, annotation, rank }: OpenParameter,
  span: Span,
  context: Context,
): Value {
  const hint = annotation?.trim();
  if (hint === "bool") return { kind: "bool", value: false };
  if (hint === "int" || hint === "float") return { kind: "int", value: 0n };
  const tensor = tensors.assumedInput(name, span, context, false);
  if (rank !== undefined && tensor.shape === undefined) giveRank(tensor, rank);
  return tensors.object(tensor);
}
