import type { Diagnostic, Span } from "#core/diagnostics";
import type { Argument } from "./host.ts";
import type { Parameter } from "./parameter.ts";
import type { Runtime } from "./runtime.ts";
import { keyOfText } from "./text-key.ts";
import type { DictValue, FunctionValue, Value } from "./value.ts";

/** Arguments of a call, in the order of the function's parameters. */
export function bindCall(
  rt: Runtime,
  callee: FunctionValue,
  args: readonly Argument[],
  span: Span,
): readonly Value[] {
  const { parameters } = callee;
  const plain = bindInOrder(callee, args);
  if (plain !== undefined) return plain;
  const values = new Map<string, Value>();
  const excess = bindPositional(callee, args, values);
  bindKeywords(rt, callee, args, values, span);
  if (excess !== undefined) tooMany(rt, callee, args, excess.span);
  for (const { name } of parameters) {
    if (values.has(name)) continue;
    const assumed = callee.defaults.get(name) ?? rt.ofDecorator(callee, name, span);
    if (assumed !== undefined) values.set(name, assumed);
  }
  checkMissing(rt, callee, values, span);
  return parameters.flatMap(({ name }) => values.get(name) ?? []);
}

/**
 * Fast path of most calls: positional arguments in order, defaults for the rest. `undefined` for
 * other calls.
 */
function bindInOrder(
  { parameters, defaults }: FunctionValue,
  args: readonly Argument[],
): readonly Value[] | undefined {
  if (args.length > parameters.length) return undefined;
  const values: Value[] = [];
  for (const [index, { name, kind }] of parameters.entries()) {
    const given = args[index];
    const value = given === undefined ? defaults.get(name) : given.value;
    if (kind !== "positional" || given?.name !== undefined || value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function isPositional({ kind }: Parameter): boolean {
  return kind === "positional" || kind === "positional-only";
}

/** Binds positional arguments; returns the first surplus one. */
function bindPositional(
  callee: FunctionValue,
  args: readonly Argument[],
  values: Map<string, Value>,
): Argument | undefined {
  const given = args.filter(({ name }) => name === undefined);
  const places = callee.parameters.filter(isPositional);
  given.slice(0, places.length).forEach(({ value }, index) => {
    const place = places[index];
    if (place !== undefined) values.set(place.name, value);
  });
  const rest = callee.parameters.find(({ kind }) => kind === "var-positional");
  const extra = given.slice(places.length);
  if (rest === undefined) return extra[0];
  values.set(rest.name, { kind: "tuple", items: extra.map(({ value }) => value) });
  return undefined;
}

function tooMany(rt: Runtime, callee: FunctionValue, args: readonly Argument[], span: Span): never {
  const places = callee.parameters.filter(isPositional);
  const given = args.filter(({ name }) => name === undefined).length;
  const required = places.filter(({ name }) => !callee.defaults.has(name)).length;
  const range =
    required === places.length ? `${places.length}` : `from ${required} to ${places.length}`;
  const isPlural = places.length !== 1 || required !== places.length;
  const keywordOnly = args.filter(({ name }) =>
    callee.parameters.some((place) => place.kind === "keyword-only" && place.name === name),
  ).length;
  const were =
    keywordOnly === 0
      ? `${given} ${given === 1 ? "was" : "were"} given`
      : `${given} positional argument${given === 1 ? "" : "s"} (and ${keywordOnly} keyword-only ` +
        `argument${keywordOnly === 1 ? "" : "s"}) were given`;
  const takes = `takes ${range} positional argument${isPlural ? "s" : ""}`;
  const message = `${callee.qualifiedName}() ${takes} but ${were}`;
  return rt.fail("TypeError", message, span, surplus(rt.source, args, places.length));
}

/** Fix that removes the surplus arguments, if they are adjacent in the text. */
function surplus(
  source: string,
  args: readonly Argument[],
  places: number,
): Pick<Diagnostic, "fixes"> {
  const given = args.filter(({ name }) => name === undefined);
  const [first, last, before] = [given[places], given.at(-1), given[places - 1]];
  if (first === undefined || last === undefined) return {};
  const isBehind = before !== undefined && isComma(source, before.span.to, first.span.from);
  const from = isBehind ? before.span.to : first.span.from;
  const { to } = last.span;
  const inside = args.filter(({ span }) => span.from >= from && span.to <= to);
  if (inside.length !== given.length - places || (!isBehind && source[to] !== ")")) return {};
  const text = source.slice(first.span.from, to);
  return { fixes: [{ title: `Take ${text} out`, edits: [{ from, to, text: "" }] }] };
}

function isComma(source: string, from: number, to: number): boolean {
  return from <= to && /^\s*,\s*$/u.test(source.slice(from, to));
}

function bindKeywords(
  rt: Runtime,
  callee: FunctionValue,
  args: readonly Argument[],
  values: Map<string, Value>,
  span: Span,
): void {
  const rest = callee.parameters.find(({ kind }) => kind === "var-keyword");
  const extra: DictValue = { kind: "dict", entries: new Map() };
  for (const { name, value, nameSpan } of args) {
    if (name === undefined) continue;
    const at = nameSpan ?? span;
    const place = callee.parameters.find((parameter) => parameter.name === name);
    const takesName = place?.kind === "positional" || place?.kind === "keyword-only";
    if (takesName && values.has(name)) {
      rt.fail(
        "TypeError",
        `${callee.qualifiedName}() got multiple values for argument '${name}'`,
        at,
      );
    }
    if (takesName) values.set(name, value);
    else if (rest !== undefined) {
      extra.entries.set(keyOfText(name), { key: { kind: "str", value: name }, value });
    } else refuseKeyword(rt, callee, name, place, at);
  }
  if (rest !== undefined) values.set(rest.name, extra);
}

function refuseKeyword(
  rt: Runtime,
  callee: FunctionValue,
  name: string,
  place: Parameter | undefined,
  span: Span,
): never {
  const message =
    place?.kind === "positional-only"
      ? `got some positional-only arguments passed as keyword arguments: '${name}'`
      : `got an unexpected keyword argument '${name}'`;
  return rt.fail("TypeError", `${callee.qualifiedName}() ${message}`, span);
}

function checkMissing(
  rt: Runtime,
  callee: FunctionValue,
  values: ReadonlyMap<string, Value>,
  span: Span,
): void {
  const missing = callee.parameters.filter(({ name }) => !values.has(name));
  const positional = missing.filter(isPositional);
  const names = (positional.length > 0 ? positional : missing).map(({ name }) => `'${name}'`);
  if (names.length === 0) return;
  const kind = positional.length > 0 ? "positional" : "keyword-only";
  const list =
    names.length <= 2
      ? names.join(" and ")
      : `${names.slice(0, -1).join(", ")}, and ${names[names.length - 1]}`;
  const count = `${names.length} required ${kind} argument${names.length === 1 ? "" : "s"}`;
  rt.fail("TypeError", `${callee.qualifiedName}() missing ${count}: ${list}`, span);
}
