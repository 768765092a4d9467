import type { Diagnostic, Span } from "#core/diagnostics";
import type { Trace, TracedTensor } from "#language/document/trace";
import { createParser, type Expression, type InstanceValue } from "#language/python";
import { attributeFaults, cellsRun, isLeftOut, type RunCell } from "../bindings/net-results.ts";
import { parallelSetting } from "../plans/parallel-mode.ts";
import { attributesAsked } from "./asked-attributes.ts";
import { compiledOf, type Functions, functionsIn, methodOf } from "./compiled-functions.ts";
import { faultIn, otherMeaning, readingsOf } from "./defined-names.ts";
import { foldedTest } from "./folded-tests.ts";
import { type HeldKind, wordFault } from "./graph-words.ts";
import { HeldCells } from "./held-cells.ts";
import type { OtherMeaning } from "./inner-functions.ts";
import { arrayFaults } from "./numpy-arrays.ts";
import type { SyntaxFault } from "./syntax-faults.ts";

/**
 * Faults that MindSpore 2.10's parser finds in the cells that a program ran. It compiles
 * `construct` and the methods and functions called by it, without some statements of Python and
 * with its own name scoping.
 */
export function graphSyntax(trace: Trace, source: string): readonly Diagnostic[] {
  if ((parallelSetting(trace)?.devices ?? 1) < 2) return [];
  const cells = cellsRun(trace);
  if (cells.length === 0 || !/\bdef\s+construct\b/u.test(source)) return [];
  const functions = functionsIn(createParser()(source, true).statements);
  const seen = new Set<string>();
  for (const each of cells) {
    const fault = faultOf(each, source, functions, seen);
    if (fault !== undefined) return [refusal(fault)];
  }
  const others = cells.flatMap((each) => otherMeanings(each, source, functions));
  const held = cells.flatMap((each) => heldFaults(each, source, functions));
  const faults = [
    ...held.filter(({ span }) => !isLeftOut(trace, span)),
    ...attributeFaults(trace),
    ...arrayFaults(trace, source),
  ].slice(0, 1);
  return [...faults.map(refusal), ...others.slice(0, 1).map(warning)];
}

function warning({ message, span }: OtherMeaning): Diagnostic {
  return { code: "mindspore/graph-syntax", severity: "warning", message, span };
}

function refusal({ message, upstream, span }: SyntaxFault): Diagnostic {
  const said = `MindSpore 2.10 refuses this: ${message}`;
  return { code: "mindspore/graph-syntax", severity: "error", message: said, upstream, span };
}

/** A cell's tensor that is read only at compile time, with the span of the read. */
export interface AskedAttribute {
  readonly tensor: TracedTensor;
  readonly span: Span;
}

/**
 * The tensors of cells that a program reads by `len`, `isinstance` or `is None`: MindSpore 2.10
 * folds these at compile time. A test that its parser decides reads nothing in the graph.
 */
export function askedByWords(trace: Trace, source: string): readonly AskedAttribute[] {
  if (!/\b(?:len|isinstance)\(self\.|\bself(?:\.\w+)+ is /u.test(source)) return [];
  const functions = functionsIn(createParser()(source, true).statements);
  return cellsRun(trace).flatMap(({ cell, tensorOf }) =>
    compiledOf(cell, source, functions).flatMap((node) => {
      const self = node.parameters[0]?.name ?? "";
      const attributeOf = (name: string) => cell.attributes.get(name);
      const asked = attributesAsked(node, self, (test) => foldedTest(test, self, attributeOf));
      return asked.flatMap(({ name, span }) => {
        const value = attributeOf(name);
        const tensor = value && tensorOf(value);
        return tensor === undefined ? [] : [{ tensor, span }];
      });
    }),
  );
}

function faultOf(
  { cell, tensorOf }: RunCell,
  source: string,
  functions: Functions,
  seen: Set<string>,
): SyntaxFault | undefined {
  for (const node of compiledOf(cell, source, functions)) {
    const text = source.slice(node.bodySpan.from, node.bodySpan.to);
    const key = `${node.nameSpan.from}:${valuesRead(cell, text)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const self = node.parameters[0]?.name ?? "";
    const attributeOf = (name: string) => cell.attributes.get(name);
    const folded = (test: Expression) => foldedTest(test, self, attributeOf);
    const heldAs = (name: string) => heldKind(cell, name, tensorOf, source);
    const fault = faultIn(node, folded) ?? wordFault(node, { folded, heldAs });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The faults in uses of a cell's lists and dicts of cells. */
function heldFaults(
  { cell }: RunCell,
  source: string,
  functions: Functions,
): readonly SyntaxFault[] {
  return compiledOf(cell, source, functions).flatMap((node) => {
    const self = node.parameters[0]?.name ?? "";
    const folded = (test: Expression) =>
      foldedTest(test, self, (name) => cell.attributes.get(name));
    return new HeldCells(cell, self, readingsOf(node, folded)).faults();
  });
}

function otherMeanings(
  { cell }: RunCell,
  source: string,
  functions: Functions,
): readonly OtherMeaning[] {
  return compiledOf(cell, source, functions).flatMap((node) => {
    const self = node.parameters[0]?.name ?? "";
    const attributeOf = (name: string) => cell.attributes.get(name);
    const folded = (test: Expression) => foldedTest(test, self, attributeOf);
    const reading = readingsOf(node, folded);
    const written = reading.bound.find((target) => isPartOf(target, self));
    const others = new HeldCells(cell, self, reading).otherMeanings();
    if (written === undefined) return others[0] ?? otherMeaning(node, folded) ?? [];
    const message =
      "how MindSpore writes into a part of what a cell holds is not known here: its operators, and what is sent for them, are left out";
    return [{ message, span: written.span }];
  });
}

/** Whether a target is an item of an attribute: `self.w[0] = …`. */
function isPartOf(target: Expression, self: string): boolean {
  if (target.kind !== "subscript" || target.object.kind !== "attribute") return false;
  const { object } = target.object;
  return object.kind === "name" && object.name === self;
}

/** The kind of a cell's attribute; a method of the text's class takes precedence. */
function heldKind(
  { attributes, type }: InstanceValue,
  name: string,
  tensorOf: RunCell["tensorOf"],
  source: string,
): HeldKind {
  const method = methodOf(type, name);
  const { from = 0, to = 0 } = method?.nameSpan ?? {};
  if (method !== undefined && source.slice(from, to) === name) return "method";
  const value = attributes.get(name);
  if (value === undefined) return "nothing";
  const tensor = tensorOf(value);
  if (tensor === undefined) return "other";
  return tensor.role === "parameter" ? "parameter" : "tensor";
}

/**
 * The plain attributes of a cell that a body may read, as a key: cells with other values take other
 * branches.
 */
function valuesRead({ attributes }: InstanceValue, text: string): string {
  const plain = [...attributes].filter(([name]) => text.includes(name));
  return plain
    .map(([name, value]) =>
      value.kind === "bool" ||
      value.kind === "int" ||
      value.kind === "float" ||
      value.kind === "str"
        ? `${name}=${value.value}`
        : `${name}:${value.kind === "none"}`,
    )
    .join();
}
