import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { ClassValue, FunctionValue, Value } from "#language/python";
import type { TextChoice } from "../trace/trace.ts";
import { assumedOf } from "./assumed.ts";
import {
  assumedArguments,
  isOfText,
  isPartOfOther,
  methodOf,
  takesAnything,
  textCode,
  wanted,
} from "./assumed-arguments.ts";
import { choiceLine } from "./choice-line.ts";
import { codeOf } from "./code-of.ts";
import type { ModuleClasses } from "./module-classes.ts";
import { unknownBaseOf } from "./open-classes.ts";
import { unpackedNames } from "./unpacked-parameters.ts";

/** A class or function of the text that a call at its end could run. */
interface Entry {
  readonly name: string;
  readonly call: string;
  readonly span: Span;
}

/** Most entries that are offered. */
const mostEntries = 12;

/** A call of something at the end of a text: `y = Net()(x)`, `test_net()`. */
const lastCall = /^(?:y = )?(\w+)\([^\n]*\)(?=\s*(?![\s\S]))/;

/**
 * Candidate entry calls of a text: module classes that nothing calls; functions, if a call at the
 * end selects one or nothing runs yet; otherwise only tests and `main`.
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

/** Diagnostic that a text draws nothing, with the reason and a fix per entry that could run. */
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

/** The diagnostic for a text that binds names, but no tensor or mesh. */
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
  return { ...nothing, message: unknownModel(globals) ?? message, span: { from: 0, to: 0 } };
}

/**
 * Message for a text whose model is made by a class that the text does not define; `undefined`
 * otherwise.
 */
function unknownModel(globals: ReadonlyMap<string, Value>): string | undefined {
  for (const [name, value] of globals) {
    const maker = /^(.*\b[A-Z]\w*(?:\.\w+)*)\(\)/u.exec(assumedOf(value)?.name ?? "")?.[1];
    if (maker === undefined || !/model|net|transformer/iu.test(name)) continue;
    return `nothing is drawn: "${name}" is what "${maker}" makes, which is not in this text; paste the file that defines it above, or open the configuration of the model`;
  }
  return undefined;
}

/**
 * Entries in order of preference: modules before functions, modules that no other module uses
 * before parts, and later definitions before earlier ones.
 */
function entriesIn(
  globals: ReadonlyMap<string, Value>,
  classes: ModuleClasses | undefined,
  source: string,
): readonly Entry[] {
  const values = [...globals];
  const modules = values.flatMap(([name, value]): Entry[] => {
    if (!isOfText(value) || value.name !== name || !classes?.isModuleClass(value)) return [];
    const call = `${name}(${madeWith(value, globals, source)})(${inputsOf(value, classes, globals, source)})`;
    return [{ name, call: `y = ${call}`, span: value.nameSpan ?? { from: 0, to: 0 } }];
  });
  const functions = values.flatMap(([name, value]): Entry[] => {
    if (value.kind !== "function" || value.nameSpan.from < 0 || name.startsWith("__")) return [];
    if (value.parameters[0]?.name === "graph" || isNamedElsewhere(value, source)) return [];
    const call = `${name}(${inputs(wanted(value.parameters), globals, source)})`;
    return [{ name, call, span: value.nameSpan }];
  });
  const code = textCode(globals, source);
  const isWhole = ({ name }: Entry) => {
    const value = globals.get(name);
    return value?.kind === "class" && !isPartOfOther(value, code);
  };
  const wholes = modules.filter(isWhole);
  const parts = modules.filter((each) => !wholes.includes(each));
  const [mains, others] = [functions.filter(isMain), functions.filter((each) => !isMain(each))];
  return [...wholes.reverse(), ...parts.reverse(), ...mains, ...others];
}

/**
 * Whether the text names a function outside its own definition, so that something else probably
 * calls it.
 */
function isNamedElsewhere({ name, span }: FunctionValue, source: string): boolean {
  const others = codeOf(source.slice(0, span.from) + source.slice(span.to));
  return new RegExp(`\\b${name}\\b`, "u").test(others);
}

/** Source text of a constructor's assumed arguments. */
function madeWith(type: ClassValue, globals: ReadonlyMap<string, Value>, source: string): string {
  const args = assumedArguments(type, globals, source);
  // After a keyword argument only keyword arguments may follow.
  const named = args.findIndex(({ plain }) => plain !== undefined);
  return args
    .map(({ name, text }, at) => (named >= 0 && at >= named ? `${name}=${text}` : text))
    .join(", ");
}

function inputsOf(
  type: ClassValue,
  classes: ModuleClasses,
  globals: ReadonlyMap<string, Value>,
  source: string,
): string {
  const method = methodOf(type, classes.methodOf(type));
  if (method === undefined) return "";
  const given = wanted(method.parameters, 1);
  return given.length === 0 && takesAnything(method.parameters)
    ? "x"
    : inputs(given, globals, source);
}

function inputs(
  parameters: FunctionValue["parameters"],
  globals: ReadonlyMap<string, Value>,
  source: string,
): string {
  return parameters
    .map(({ kind, name }) => {
      const names = unpackedNames(name, source);
      const isFree = names?.every((each) => !globals.has(each)) === true;
      const given = isFree ? `(${names.join(", ")})` : name;
      return kind === "keyword-only" ? `${name}=${given}` : given;
    })
    .join(", ");
}
