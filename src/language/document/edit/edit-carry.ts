import type { TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { Document } from "../read-document.ts";
import { axesText } from "../trace/axes-text.ts";
import { addition, appendLine, isOwnCall, targetText } from "./edit.ts";

/**
 * Smallest edit that lets partial sums over `axes` pass through an operator: an argument of its own
 * `strategy(…)` call, else a new line at the end. An identifier named `carry` is split through a
 * dict, so the keyword is unambiguous.
 */
export function carryEdits(
  document: Document,
  operator: Operator,
  axes: readonly string[],
): readonly TextEdit[] {
  const text = `carry=${axesText(axes)}`;
  const call = document.strategyCalls.get(operator.id);
  if (call !== undefined && isOwnCall(document, operator, call)) {
    if (call.carry !== undefined) return [{ ...call.carry.span, text: axesText(axes) }];
    return [addition(document.source, call.span, `, ${text}`)];
  }
  return [appendLine(document, `strategy(${targetText(document, operator.name)}, ${text})`)];
}
