import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { ClassValue, FunctionValue, Parameter, Value } from "#language/python";
import type { ModuleClasses } from "./module-classes.ts";

/** Something of the text that could run if it were called. */
interface Entry {
  readonly name: string;
  readonly call: string;
  readonly span: Span;
}

/** How many entries are offered. */
const mostEntries = 12;

/**
 * That a text draws nothing, why, and a fix for each entry that could run: module classes that
 * nothing calls, and functions.
 */
export function nothingRuns(
  globals: ReadonlyMap<string, Value>,
  classes: ModuleClasses,
  source: string,
): Diagnostic | undefined {
  const entries = entriesIn(globals, classes, source);
  const [first] = entries;
  if (first === undefined) return undefined;
  const others = entries.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more that could run)`;
  const lead = source.endsWith("\n") ? "" : "\n";
  const fixes = entries.slice(0, mostEntries).map(({ call }): Fix => {
    const edits = [{ from: source.length, to: source.length, text: `${lead}${call}\n` }];
    return { title: `Write ${call}`, edits };
  });
  return {
    code: "document/nothing-runs",
    severity: "info",
    message: `nothing here runs: "${first.name}" is defined here; call it with ${first.call}${more}`,
    span: first.span,
    fixes,
  };
}

/** Modules first, those last defined before the others: a file's whole model stands at its end. */
function entriesIn(
  globals: ReadonlyMap<string, Value>,
  classes: ModuleClasses,
  source: string,
): readonly Entry[] {
  const values = [...globals];
  const modules = values.flatMap(([name, value]): Entry[] => {
    if (!isOfText(value) || value.name !== name || !classes.isModuleClass(value)) return [];
    const call = `${name}(${madeWith(value, globals)})(${inputsOf(value, classes)})`;
    return [{ name, call: `y = ${call}`, span: value.nameSpan ?? { from: 0, to: 0 } }];
  });
  const functions = values.flatMap(([name, value]): Entry[] => {
    if (value.kind !== "function" || value.nameSpan.from < 0 || name.startsWith("__")) return [];
    if (value.parameters[0]?.name === "graph" || isNamedElsewhere(value, source)) return [];
    const call = `${name}(${wanted(value.parameters).join(", ")})`;
    return [{ name, call, span: value.nameSpan }];
  });
  const isMain = ({ name }: Entry) => name === "main" || name.startsWith("test_");
  const [mains, others] = [functions.filter(isMain), functions.filter((each) => !isMain(each))];
  return [...modules.reverse(), ...mains, ...others];
}

/** Whether the text speaks of a function outside itself: then something else calls it. */
function isNamedElsewhere({ name, span }: FunctionValue, source: string): boolean {
  const others = (source.slice(0, span.from) + source.slice(span.to)).replace(/#.*$/gm, "");
  return new RegExp(`\\b${name}\\b`, "u").test(others);
}

function isOfText(value: Value): value is ClassValue {
  return value.kind === "class" && value.span !== undefined && value.span.from >= 0;
}

function methodOf(type: ClassValue, name: string): FunctionValue | undefined {
  const found = type.mro.map(({ attributes }) => attributes.get(name)).find(Boolean);
  return found?.kind === "function" ? found : undefined;
}

/** The parameters that a call must give, by name. */
function wanted(parameters: readonly Parameter[], skipped = 0): readonly string[] {
  return parameters
    .slice(skipped)
    .filter(({ kind, defaultTree }) => kind.startsWith("positional") && defaultTree === undefined)
    .map(({ name }) => name);
}

/** Arguments of a constructor: a class of the text that configures it, else the parameters' names. */
function madeWith(type: ClassValue, globals: ReadonlyMap<string, Value>): string {
  const init = methodOf(type, "__init__");
  const names = init === undefined ? [] : wanted(init.parameters, 1);
  return names
    .map((name) => (isConfig(name) ? (configOf(type, globals) ?? name) : `${name}=${number(name)}`))
    .join(", ");
}

function isConfig(name: string): boolean {
  return /config|cfg|args|hparams|params/.test(name);
}

/** The call of a class of the text that is named after the module, or is the only one of its kind. */
function configOf(type: ClassValue, globals: ReadonlyMap<string, Value>): string | undefined {
  const found = [...globals].filter(
    ([name, value]) => isOfText(value) && /(config|args|params)$/i.test(name),
  );
  const own = found.find(([name]) => name.toLowerCase().startsWith(type.name.toLowerCase()));
  const [name] = own ?? found[0] ?? [];
  return name === undefined ? undefined : `${name}()`;
}

/** A number for an argument of a constructor, after its name. */
function number(name: string): number {
  if (/drop|eps|prob|rate/.test(name)) return 0;
  if (/vocab/.test(name)) return 64;
  return /layer|depth|block|head|group|expert/.test(name) ? 2 : 16;
}

function inputsOf(type: ClassValue, classes: ModuleClasses): string {
  const method = methodOf(type, classes.methodOf(type));
  return method === undefined ? "" : wanted(method.parameters, 1).join(", ");
}
