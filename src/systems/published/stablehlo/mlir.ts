import { bracesIn, closing, signatureAt, splitTop, withoutTexts } from "./brackets.ts";
import { type Locations, locationsIn, whereIn, withoutLocation } from "./locations.ts";

/** A tensor type: MLIR's `tensor<8x16xf32>` has shape [8, 16] and dtype `f32`. */
export interface TensorType {
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** An operation of a module, with its regions. */
export interface Operation {
  /** `stablehlo.add`, `call`, `sdy.sharding_constraint`, … */
  readonly name: string;
  /** Result names in other operations: `%3`, or `%3#0` and `%3#1` for two. */
  readonly results: readonly string[];
  readonly operands: readonly string[];
  /** Text between the name and the types: operands and attributes. */
  readonly text: string;
  readonly operandTypes: readonly (TensorType | undefined)[];
  readonly resultTypes: readonly (TensorType | undefined)[];
  readonly regions: readonly Region[];
  /** Path in its location: `jit(f)/Dense_0/dot_general`. */
  readonly where?: string;
}

/** Operations between braces, with the block's arguments. */
export interface Region {
  readonly args: readonly Argument[];
  readonly operations: readonly Operation[];
}

/** An argument of a function or region. */
export interface Argument {
  readonly name: string;
  readonly type: TensorType | undefined;
  /** Text between its braces. */
  readonly attributes: string;
  readonly where?: string;
}

/** A function of a module. */
export interface ModuleFunction {
  readonly name: string;
  readonly args: readonly Argument[];
  /** Attributes of each result. */
  readonly resultAttributes: readonly string[];
  readonly operations: readonly Operation[];
}

/** A parsed StableHLO module. */
export interface Module {
  readonly name: string;
  readonly functions: ReadonlyMap<string, ModuleFunction>;
  /** `sdy.mesh` by name: the text between its `<` and `>`. */
  readonly meshes: ReadonlyMap<string, string>;
}

/** A fault of a module's text, with its line where known. */
export class ModuleFault extends Error {}

/** Most lines of a module; the largest that JAX writes for a model has some 100,000 operations. */
const mostLines = 2_000_000;

/** Most nested regions. */
const mostDepth = 64;

/**
 * Reads a module as `jit(f).lower(…).as_text()` prints it: one operation per line, in its short
 * form or the generic one.
 *
 * @throws ModuleFault
 */
export function readModule(text: string): Module {
  const lines = text.split("\n");
  if (lines.length > mostLines) throw new ModuleFault("it has more than 2,000,000 lines");
  const reader = { lines, at: 0, locations: locationsIn(lines) };
  const functions = new Map<string, ModuleFunction>();
  const meshes = new Map<string, string>();
  let name = "module";
  while (reader.at < lines.length) {
    const line = (lines[reader.at] ?? "").trim();
    reader.at += 1;
    if (line.startsWith("{-#")) break;
    const mesh = /^sdy\.mesh @([\w.-]+) = <(.*)>/u.exec(line);
    if (mesh !== null) meshes.set(mesh[1] ?? "", mesh[2] ?? "");
    name = /^module @([\w.-]+)/u.exec(line)?.[1] ?? name;
    if (/^func\.func\b/u.test(line)) {
      const made = functionAt(reader, line);
      functions.set(made.name, made);
    }
  }
  if (functions.size === 0) throw new ModuleFault("it has no function");
  return { name, functions, meshes };
}

interface Reader {
  readonly lines: readonly string[];
  at: number;
  readonly locations: Locations;
}

function functionAt(reader: Reader, line: string): ModuleFunction {
  const open = line.indexOf("(");
  const name = /@("[^"]*"|[\w.$-]+)\(/u.exec(line)?.[1]?.replaceAll('"', "");
  if (open < 0 || name === undefined) throw faultAt(reader, "no function");
  const close = closing(line, open);
  const args = splitTop(line.slice(open + 1, close)).map((each) => argumentIn(each, reader));
  const after = line.slice(close + 1);
  const results = /^\s*->\s*\(/u.test(after)
    ? splitTop(after.slice(after.indexOf("(") + 1, closing(after, after.indexOf("("))))
    : [];
  const resultAttributes = results.map((each) => bracesIn(each));
  return { name, args, resultAttributes, operations: blockAt(reader, 0).operations };
}

function argumentIn(text: string, { locations }: Reader): Argument {
  const name = /^\s*(%[\w$.-]+)/u.exec(text)?.[1] ?? "";
  const where = whereIn(text, locations);
  const [type] = typesIn(text);
  return { name, type, attributes: bracesIn(text), ...(where !== undefined && { where }) };
}

/** Reads operations up to the closing line, which is not consumed. */
function blockAt(reader: Reader, depth: number): Region {
  if (depth > mostDepth) throw faultAt(reader, "regions that lie too deep");
  const operations: Operation[] = [];
  let args: readonly Argument[] = [];
  for (;;) {
    const line = reader.lines[reader.at]?.trim();
    if (line === undefined) throw faultAt(reader, "a region that does not end");
    if (line.startsWith("}")) return { args, operations };
    reader.at += 1;
    if (line === "" || line.startsWith("//")) continue;
    if (line.startsWith("^")) {
      const open = line.indexOf("(");
      const inner = open < 0 ? "" : line.slice(open + 1, closing(line, open));
      args = splitTop(inner).map((each) => argumentIn(each, reader));
    } else operations.push(operationAt(reader, line, depth));
  }
}

function operationAt(reader: Reader, line: string, depth: number): Operation {
  const regions: Region[] = [];
  let head = line;
  const isOpen = () => / \{$|\(\{$/u.test(head) || head.endsWith("{");
  if (isOpen()) head = regionsAt(reader, head, regions, depth);
  while (/^(?:cond \{|reducer\()/u.test(reader.lines[reader.at]?.trim() ?? "")) {
    const next = (reader.lines[reader.at] ?? "").trim();
    reader.at += 1;
    const reducer = next.startsWith("reducer(") ? reducerArgs(next, reader) : [];
    const rest = regionsAt(reader, next, regions, depth, reducer);
    const { body, where } = withoutLocation(rest, reader.locations);
    if (where !== undefined) head = `${head} loc("${where}")`;
    if (body !== "") head = `${head}${body}`;
  }
  return operationIn(reader, head, regions);
}

function reducerArgs(line: string, reader: Reader): readonly Argument[] {
  const groups = [...line.matchAll(/\(([^()]*)\)/gu)].map(([, inner = ""]) => inner);
  return groups.flatMap((group) => splitTop(group).map((each) => argumentIn(each, reader)));
}

/**
 * Reads the regions that a line opens; returns the line joined with the text after the last region.
 */
function regionsAt(
  reader: Reader,
  line: string,
  regions: Region[],
  depth: number,
  args: readonly Argument[] = [],
): string {
  const head = line.replace(/\(?\{$/u, "").trimEnd();
  for (;;) {
    const region = blockAt(reader, depth + 1);
    regions.push(args.length > 0 ? { ...region, args } : region);
    const end = (reader.lines[reader.at] ?? "").trim();
    reader.at += 1;
    if (end.endsWith("{") && end.length > 1) continue;
    const rest = end.replace(/^\}\)?/u, "");
    return /^(?:cond|reducer)/u.test(head) ? rest : `${head}${rest}`;
  }
}

function operationIn(reader: Reader, line: string, regions: readonly Region[]): Operation {
  const { body, where } = withoutLocation(line, reader.locations);
  const [, left, right] = /^(%[^=]*?) = (.*)$/su.exec(body) ?? [undefined, "", body];
  const called = /^"?([\w.]+)"?/u.exec(right ?? "")?.[1];
  if (called === undefined) throw faultAt(reader, "no operation");
  const rest = (right ?? "").replace(/^"?[\w.]+"?/u, "");
  const cut = signatureAt(rest);
  const [text, signature] = cut < 0 ? [rest, ""] : [rest.slice(0, cut), rest.slice(cut + 2)];
  const arrow = signature.indexOf(" -> ");
  const own = typesIn(arrow < 0 ? signature : signature.slice(0, arrow));
  const results = resultsOf(left ?? "");
  // Without an arrow the last type is the result's: `tensor<i1>, tensor<f32>` of a select.
  const short = results.length === 1 ? own.slice(-1) : own;
  const made = arrow < 0 ? short : typesIn(signature.slice(arrow));
  return {
    name: called,
    results,
    operands: [...withoutTexts(text).matchAll(/%[\w$.-]+(?:#\d+)?/gu)].map(([each]) => each),
    text,
    operandTypes: own,
    resultTypes: made,
    regions,
    ...(where !== undefined && { where }),
  };
}

function resultsOf(left: string): readonly string[] {
  return left.split(",").flatMap((each) => {
    const [, name = "", count] = /^\s*(%[\w$.-]+)(?::(\d+))?/u.exec(each) ?? [];
    if (name === "") return [];
    if (count === undefined) return [name];
    return Array.from({ length: Math.min(Number(count), 10_000) }, (_, at) => `${name}#${at}`);
  });
}

const typeWord = /tensor<((?:[^<>]|<[^<>]*>)*)>|!stablehlo\.token|tuple<[^>]*>/gu;

/** Types of a list; `undefined` for anything but a tensor of known sizes. */
function typesIn(text: string): readonly (TensorType | undefined)[] {
  return [...text.matchAll(typeWord)].map(([, inner]) => {
    if (inner === undefined) return undefined;
    const [, sizes = "", dtype = ""] = /^((?:\d+x)*)(.*)$/u.exec(inner) ?? [];
    if (!/^(?:[a-z]\w*|complex<\w+>)$/iu.test(dtype)) return undefined;
    return { shape: sizes.split("x").filter(Boolean).map(Number), dtype };
  });
}

function faultAt({ at }: Reader, what: string): ModuleFault {
  return new ModuleFault(`line ${at + 1} has ${what}`);
}
