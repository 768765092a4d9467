// Introspection: the names of a program's module and the parameters of its functions.

import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import {
  type Context,
  dictOf,
  type FunctionValue,
  type HostObject,
  type HostType,
  type ModuleValue,
  type Value,
} from "#language/python";
import { assumedOf } from "./assumed.ts";
import type { OpaqueOperators } from "./opaque-operators.ts";
import { hasUnknownBase } from "./open-classes.ts";
import { hostFunction, namespace, none, text, textOf } from "./values/values.ts";

type Assume = Pick<OpaqueOperators, "assumed">;

/**
 * Whether the result of a call is used only to look up one name: `globals()[name]`,
 * `globals().get(name)`.
 */
function isLookedUp(source: string, { to }: Span): boolean {
  const behind = source.slice(to, to + mostBehind);
  return /^\s*(?:\.get\(|\[[^\]\n]*\](?!\s*=[^=]))/u.test(behind);
}

/** Characters after a call in which its subscript is looked for. */
const mostBehind = 200;

/**
 * The result of `globals()`, in which the text's own names are known. Other uses of the dict are
 * not run, and that is reported.
 */
export function globalNames(
  unknown: (name: string, known?: GlobalNames) => Value,
  say: () => void,
  context: Context,
  span: Span,
): Value {
  if (!isLookedUp(context.source, span)) say();
  const unnamed = (name: string) => unknown(`globals()[${JSON.stringify(name)}]`);
  const get = hostFunction("get", ([key, otherwise]) => {
    const wanted = textOf(key?.value);
    if (wanted === undefined) return unnamed("…");
    return context.ownName(wanted) ?? otherwise?.value ?? none;
  });
  return unknown("globals()", {
    part: (key) => context.ownName(String(key)) ?? unnamed(String(key)),
    member: (name) => (name === "get" ? get : undefined),
  });
}

/** Lookups of a module's names, as far as they are known. */
export interface GlobalNames {
  readonly part?: (key: string | number) => Value;
  readonly member?: (name: string) => Value | undefined;
}

/** A supported name of Python's `inspect`; `undefined` for other names. */
export function inspectWord(name: string, opaque: Assume): Value | undefined {
  if (name === "Parameter") return parameterClass(opaque);
  if (name === "_empty") return empty;
  if (name !== "signature") return inspection(name);
  return hostFunction(name, ([given]) => {
    const parameters = parametersOf(given?.value, opaque);
    // An unknown signature has no members, so that lookups do not fall through to the function's.
    const member = (wanted: string) => (wanted === "parameters" ? parameters : undefined);
    return opaque.assumed("inspect.signature()", parameters === undefined ? {} : { member });
  });
}

/**
 * Parameters of a function or class of the text, of the function a system wraps, or those that an
 * unknown value names. `undefined` when they are not known.
 */
function parametersOf(value: Value | undefined, opaque: Assume): Value | undefined {
  const named = assumedOf(value)?.member?.("__signature__");
  if (named?.kind === "list")
    return dictOf(named.items.map((each) => [textOf(each) ?? "", opaque.assumed("Parameter")]));
  const [callee, skipped] = calleeOf(value);
  if (callee === undefined || (callee.span.from < 0 && !isAsPublished(value, callee)))
    return undefined;
  return dictOf(
    callee.parameters.slice(skipped).map((parameter) => {
      const otherwise = callee.defaults.get(parameter.name) ?? empty;
      const known: Readonly<Record<string, Value>> = {
        name: text(parameter.name),
        default: otherwise,
        kind: text(kinds[parameter.kind]),
      };
      const member = (name: string) => (Object.hasOwn(known, name) ? known[name] : undefined);
      return [parameter.name, opaque.assumed(`Parameter ${parameter.name}`, { member })];
    }),
  );
}

/**
 * Whether a built-in stand-in has the parameters of the published function, by name (no `*args` or
 * `**kwargs`).
 */
function isAsPublished(value: Value | undefined, { parameters }: FunctionValue): boolean {
  const isKnown = value?.kind === "host-function" || value?.kind === "class";
  return isKnown && parameters.every(({ kind }) => !kind.startsWith("var-"));
}

/** The function whose parameters a callable shows, and how many leading ones are already bound. */
function calleeOf(
  value: Value | undefined,
): readonly [callee: FunctionValue | undefined, skipped: number] {
  if (value?.kind === "host-function") return calleeOf(value.member?.("__wrapped__"));
  if (value?.kind === "function") {
    const wrapped = value.attributes.get("__wrapped__");
    return wrapped === undefined ? [value, 0] : calleeOf(wrapped);
  }
  if (value?.kind === "method") {
    const [callee] = calleeOf(value.callee);
    return [callee, 1];
  }
  if (value?.kind !== "class" || hasUnknownBase(value) || value.metaclass !== undefined)
    return [undefined, 0];
  const owner = value.mro.find(({ attributes }) => attributes.has("__init__"));
  const [callee] = calleeOf(owner?.attributes.get("__init__"));
  return [callee, 1];
}

const kinds: Readonly<Record<FunctionValue["parameters"][number]["kind"], string>> = {
  "positional-only": "POSITIONAL_ONLY",
  positional: "POSITIONAL_OR_KEYWORD",
  "keyword-only": "KEYWORD_ONLY",
  "var-positional": "VAR_POSITIONAL",
  "var-keyword": "VAR_KEYWORD",
};

const emptyType: HostType = { name: "type", text: () => "<class 'inspect._empty'>" };

/** `inspect._empty`: marks a parameter without a default. */
const empty: HostObject = { kind: "host", type: emptyType, data: undefined };

function parameterClass(opaque: Assume): ModuleValue {
  return namespace("inspect.Parameter", (name) => {
    if (name === "empty") return empty;
    return Object.values(kinds).includes(name) ? text(name) : opaque.assumed(name);
  });
}

/** Predicates of `inspect`, with the value kinds for which they are true. */
const inspections: Readonly<Record<string, readonly Value["kind"][]>> = {
  isfunction: ["function"],
  ismethod: ["method"],
  isroutine: ["function", "method", "host-function"],
  isbuiltin: ["host-function"],
  isclass: ["class"],
  ismodule: ["module"],
  isgenerator: ["generator"],
};

function inspection(name: string): Value | undefined {
  const kinds = Object.hasOwn(inspections, name) ? fieldOf(inspections, name) : undefined;
  if (kinds === undefined) return undefined;
  return hostFunction(name, ([given]) => ({
    kind: "bool",
    value: given !== undefined && kinds.includes(given.value.kind),
  }));
}
