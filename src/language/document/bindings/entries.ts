import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { ClassValue, FunctionValue, Value } from "#language/python";
import type { TextChoice } from "../trace/trace.ts";
import { choiceLine } from "./choice-line.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { unknownBaseOf } from "./open-classes.ts";

/** Something of the text that could run if it were called. */
interface Entry {
  readonly name: string;
  readonly call: string;
  readonly span: Span;
}

/** How many entries are offered. */
const mostEntries = 12;

/** A call of something at the end of a text: `y = Net()(x)`, `test_net()`. */
const lastCall = /^(?:y = )?(\w+)\([^\n]*\)(?=\s*(?![\s\S]))/;

/**
 * The choices of what a text runs: module classes that nothing calls; its functions, if a call at
 * its end chooses one of them or nothing runs yet; else its functions that are tests or `main`.
 */
export function callChoices(
  globals: ReadonlyMap<string, Value>,
  classes: ModuleClasses | undefined,
  source: string,
  isSilent: boolean,
): readonly TextChoice[] {
  const { chosen, rest, writing } = choiceLine(source, lastCall);
  const entries = entriesIn(globals, classes, rest);
  const isChosen = ({ name }: Entry) => name === chosen?.name;
  const isOwn = entries.some(isChosen);
  const offered = entries.filter((each) => isSilent || isOwn || isMain(each));
  const atEnd = isOwn ? writing : choiceLine(source, /(?!)/).writing;
  return offered.slice(0, mostEntries).map(
    (each): TextChoice => ({
      group: "calls",
      name: each.name,
      line: each.call,
      isChosen: isChosen(each),
      edits: atEnd(each.call),
    }),
  );
}

function isMain({ name }: { readonly name: string }): boolean {
  return name === "main" || name.startsWith("test_");
}

/** That a text draws nothing, why, and a fix for each entry that could run. */
export function nothingRuns(
  choices: readonly TextChoice[],
  globals: ReadonlyMap<string, Value>,
): Diagnostic | undefined {
  const first = choices.find(({ isChosen }) => isChosen) ?? choices[0];
  if (first === undefined) return nothingMade(globals);
  if (choices.every(({ isChosen }) => isChosen)) return undefined;
  const others = choices.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more that could run)`;
  const value = globals.get(first.name);
  const named = value?.kind === "class" || value?.kind === "function" ? value.nameSpan : undefined;
  const message = first.isChosen
    ? `nothing is drawn: "${first.name}" runs and calls no operator${more}`
    : `nothing here runs: "${first.name}" is defined here; call it with ${first.line}${more}`;
  return {
    code: "document/nothing-runs",
    severity: "info",
    message,
    span: named ?? { from: 0, to: 0 },
    fixes: choices
      .filter(({ isChosen }) => !isChosen)
      .map(({ line, edits }): Fix => ({ title: `Write ${line}`, edits })),
  };
}

/** That a text binds names, of which none holds a tensor or a mesh. */
function nothingMade(globals: ReadonlyMap<string, Value>): Diagnostic | undefined {
  if (globals.size === 0) return undefined;
  const nothing = { code: "document/nothing-runs", severity: "info", fixes: [] } as const;
  const classes = [...globals.values()].toReversed().filter(isOfText);
  for (const type of classes) {
    const base = unknownBaseOf(type);
    const computes = methodOf(type, "construct") ?? methodOf(type, "forward");
    if (base === undefined || computes === undefined) continue;
    const message = `nothing is drawn: "${type.name}" derives from "${base.name}", which is not in this text, so that nothing says how it is made and called; paste the file that defines "${base.name}" above it`;
    return { ...nothing, message, span: type.nameSpan ?? { from: 0, to: 0 } };
  }
  const message = "nothing is drawn: no statement here makes a tensor that is read";
  return { ...nothing, message, span: { from: 0, to: 0 } };
}

/** Modules first, those last defined before the others: a file's whole model stands at its end. */
function entriesIn(
  globals: ReadonlyMap<string, Value>,
  classes: ModuleClasses | undefined,
  source: string,
): readonly Entry[] {
  const values = [...globals];
  const modules = values.flatMap(([name, value]): Entry[] => {
    if (!isOfText(value) || value.name !== name || !classes?.isModuleClass(value)) return [];
    const call = `${name}(${madeWith(value, globals)})(${inputsOf(value, classes)})`;
    return [{ name, call: `y = ${call}`, span: value.nameSpan ?? { from: 0, to: 0 } }];
  });
  const functions = values.flatMap(([name, value]): Entry[] => {
    if (value.kind !== "function" || value.nameSpan.from < 0 || name.startsWith("__")) return [];
    if (value.parameters[0]?.name === "graph" || isNamedElsewhere(value, source)) return [];
    const call = `${name}(${wanted(value.parameters).join(", ")})`;
    return [{ name, call, span: value.nameSpan }];
  });
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
function wanted(parameters: FunctionValue["parameters"], skipped = 0): readonly string[] {
  return parameters
    .slice(skipped)
    .filter(({ kind, defaultTree }) => kind.startsWith("positional") && defaultTree === undefined)
    .map(({ name }) => name);
}

/** Arguments of a constructor: a class of the text that configures it, else the parameters' names. */
function madeWith(type: ClassValue, globals: ReadonlyMap<string, Value>): string {
  const init = methodOf(type, "__init__");
  const names = init === undefined ? [] : wanted(init.parameters, 1);
  // Behind an argument with a name every other one needs its own.
  const named = names.findIndex((name) => !isConfig(name));
  return names
    .map((name, at) => {
      if (!isConfig(name)) return `${name}=${number(name)}`;
      const value = configOf(type, globals) ?? name;
      return named >= 0 && at > named ? `${name}=${value}` : value;
    })
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
