// Assumed arguments for constructors that the text never calls.

import type { Span } from "#core/diagnostics";
import type { ClassValue, FunctionValue, Value } from "#language/python";
import { assumedNumber, assumedValue, writtenValues } from "./assumed-values.ts";
import { codeOf } from "./code-of.ts";
import { integerOf } from "./values/values.ts";

/** Assumed argument of a constructor that the text never calls. */
export interface AssumedArgument {
  readonly name: string;
  /**
   * Source text of the argument: a number, a call of a class of the text, or the parameter's name.
   */
  readonly text: string;
  /**
   * Configuration class of the text that is passed, with assumed values for its fields that have
   * none.
   */
  readonly config?: { readonly type: ClassValue; readonly open: ReadonlyMap<string, number> };
  /** Value of the argument: a number, tuple, string or bool. */
  readonly plain?: Value;
  /** Dict of settings that is passed, such as `GPT_CONFIG`. */
  readonly held?: Value;
}

type Parameter = FunctionValue["parameters"][number];

/** Parameters that a call must give: those without a default. */
export function wanted(parameters: readonly Parameter[], skipped = 0): readonly Parameter[] {
  return parameters
    .slice(skipped)
    .filter(({ kind, defaultTree }) => !kind.startsWith("var-") && defaultTree === undefined);
}

/** Whether a function takes `*args`. */
export function takesAnything(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ kind }) => kind === "var-positional");
}

/**
 * A method of a class or of its bases; `undefined` when the attribute is missing or is no Python
 * function.
 */
export function methodOf(type: ClassValue, name: string): FunctionValue | undefined {
  const found = type.mro.map(({ attributes }) => attributes.get(name)).find(Boolean);
  return found?.kind === "function" ? found : undefined;
}

/**
 * Assumed arguments of a module's constructor. A configuration parameter gets the text's class for
 * it, found by type hint or name; other parameters get usual numbers for their names.
 */
export function assumedArguments(
  type: ClassValue,
  globals: ReadonlyMap<string, Value>,
  source: string,
): readonly AssumedArgument[] {
  const init = methodOf(type, "__init__");
  const parameters = (init?.parameters ?? []).slice(1);
  const own = writtenValues(
    type,
    parameters.map(({ name }) => name),
    source,
  );
  return wanted(parameters).map(({ name, annotationSpan: at }) => {
    const hint = at === undefined ? "" : source.slice(at.from, at.to).replace(/['"]/g, "").trim();
    const hinted = settings(hint, globals);
    if (hinted === undefined && !/config|cfg|conf$|args|hparams|params|^opt/.test(name)) {
      const { text, value } = own.get(name) ?? assumedValue(name, hint, type, source);
      return { name, text, plain: value };
    }
    const config = hinted ?? ownConfig(type, globals, source) ?? configOf(type, globals);
    if (config === undefined) return heldSettings(name, globals);
    const open = openNumbers(config.type, source);
    const given = [...open].map(([field, number]) => `${field}=${number}`).join(", ");
    return { name, text: `${config.name}(${given})`, config: { type: config.type, open } };
  });
}

/**
 * The first dict of the text that is named like settings; the parameter's name if there is none.
 */
function heldSettings(name: string, globals: ReadonlyMap<string, Value>): AssumedArgument {
  const found = [...globals].find(
    ([held, value]) => value.kind === "dict" && /config|cfg|args|params/i.test(held),
  );
  return found === undefined ? { name, text: name } : { name, text: found[0], held: found[1] };
}

/** A configuration class with its name in the text. */
interface Settings {
  readonly name: string;
  readonly type: ClassValue;
}

/**
 * The configuration class bound to a name: defined in the text, or imported under a name that ends
 * in "config".
 */
function settings(name: string, globals: ReadonlyMap<string, Value>): Settings | undefined {
  const type = globals.get(name);
  if (type?.kind !== "class" || !(isOfText(type) || /config$/iu.test(name))) return undefined;
  return { name, type };
}

/** The configuration class that the module's own class bodies name, as in `config: LlamaConfig`. */
function ownConfig(
  { mro }: ClassValue,
  globals: ReadonlyMap<string, Value>,
  source: string,
): Settings | undefined {
  const bodies = mro.flatMap((each) =>
    isOfText(each) && each.span !== undefined ? [source.slice(each.span.from, each.span.to)] : [],
  );
  const named = bodies.flatMap((body) => ownConfigLine.exec(body)?.[1] ?? []);
  return named.flatMap((name) => settings(name, globals) ?? [])[0];
}

const ownConfigLine = /^[ \t]+config(?:_class)?[ \t]*[:=][ \t]*["']?(\w+)/mu;

/** The configuration class of the text that is named after the module, or else the first one. */
function configOf(type: ClassValue, globals: ReadonlyMap<string, Value>): Settings | undefined {
  const found = [...globals].flatMap(([name, value]) =>
    isOfText(value) && /(config|args|params)$/i.test(name) ? [{ name, type: value }] : [],
  );
  const isOwn = ({ name }: Settings) => name.toLowerCase().startsWith(type.name.toLowerCase());
  return found.find(isOwn) ?? found[0];
}

/**
 * Assumed values for open fields of a configuration class: integers without a default, and −1,
 * which a tokenizer or caller replaces.
 */
function openNumbers(type: ClassValue, source: string): ReadonlyMap<string, number> {
  const { attributes, span = { from: 0, to: 0 } } = type;
  // `__post_init__` computes the fields itself; an imported class has its own defaults.
  if (attributes.has("__post_init__") || !isOfText(type)) return new Map();
  const body = codeOf(source.slice(span.from, span.to));
  const fields = [...body.matchAll(/^[ \t]+(\w+)[ \t]*:[ \t]*int[ \t]*$/gmu)].map(
    ([, name = ""]) => name,
  );
  const left = [...attributes].flatMap(([name, value]) =>
    integerOf(value) === -1 && /size|dim|num|^n_|layers|heads/.test(name) ? [name] : [],
  );
  return new Map([...new Set([...fields, ...left])].map((name) => [name, assumedNumber(name)]));
}

/** Whether the text itself defines a class. */
export function isOfText(value: Value): value is ClassValue {
  return value.kind === "class" && value.span !== undefined && value.span.from >= 0;
}

/** Code of a text (strings and comments blanked) and the spans of its functions. */
export interface TextCode {
  readonly code: string;
  readonly functions: readonly Span[];
}

export function textCode(globals: ReadonlyMap<string, Value>, source: string): TextCode {
  const functions = [...globals.values()].flatMap((value) =>
    value.kind === "function" && value.span.from >= 0 ? [value.span] : [],
  );
  return { code: codeOf(source), functions };
}

/**
 * The first function of a text that makes and returns an instance of a class and has no required
 * parameters.
 */
export function makerOf(
  { name }: ClassValue,
  globals: ReadonlyMap<string, Value>,
  source: string,
): FunctionValue | undefined {
  for (const value of globals.values()) {
    if (value.kind !== "function" || value.span.from < 0 || isTest(value.span, source)) continue;
    const isFree = value.parameters.every(
      (each) => value.defaults.has(each.name) || each.kind.startsWith("var-"),
    );
    const code = codeOf(source.slice(value.span.from, value.span.to));
    if (isFree && makesToReturn(code, name)) return value;
  }
  return undefined;
}

/** Whether a function's code returns an instance of a class, directly or through a variable. */
function makesToReturn(code: string, name: string): boolean {
  if (new RegExp(`\\breturn ${name} ?\\(`, "u").test(code)) return true;
  const made = new RegExp(`\\b(\\w+) ?= ?${name} ?\\(`, "u").exec(code)?.[1];
  return made !== undefined && new RegExp(`\\breturn ${made}\\b`, "u").test(code);
}

/** Whether a span is a function named exactly `test`. */
function isTest({ from, to }: Span, source: string): boolean {
  return /^\s*def\s+test\s*\(/u.test(source.slice(from, to));
}

/**
 * Whether the code names a class outside its own body, so that it is part of another module. The
 * function `test()` and functions that make and return the class do not count.
 */
export function isPartOfOther({ name, span }: ClassValue, { code, functions }: TextCode): boolean {
  if (span === undefined) return true;
  const isBeside = (each: Span) =>
    isTest(each, code) || makesToReturn(code.slice(each.from, each.to), name);
  const own = [span, ...functions.filter(isBeside)];
  const isOwn = (at: number) => own.some(({ from, to }) => at >= from && at < to);
  return [...code.matchAll(new RegExp(`\\b${name}\\b`, "gu"))].some(({ index }) => !isOwn(index));
}
