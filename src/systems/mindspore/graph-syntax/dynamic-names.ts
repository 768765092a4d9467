import type { Diagnostic } from "#core/diagnostics";
import type { SystemReading } from "#language/document/bindings";
import { createParser, type Expression } from "#language/python";
import { cellsRun } from "../bindings/net-results.ts";
import { parallelSetting } from "../plans/parallel-mode.ts";
import { compiledOf, functionsIn } from "./compiled-functions.ts";
import { readingsOf } from "./defined-names.ts";
import { foldedTest } from "./folded-tests.ts";
import { namesBound, namesRead, partsOf, type ReadName } from "./read-names.ts";

/**
 * Warnings for a name that the module binds to a tensor with run-time lengths, if compiled code reads
 * it, or an attribute of any variable of that name. MindSpore 2.10 first looks up every such name in the module and
 * prints the value, which fails for a tensor without elements (its parser's
 * `check_third_party_library_side_effect`). Where that raises a ValueError, the net is refused, whatever the name
 * means in the function; the same nets are also recorded as compiled. Branches that the parser leaves out are not looked at.
 */
export function dynamicNames({
  trace,
  source,
  boundNames,
}: Pick<SystemReading, "trace" | "source" | "boundNames">): readonly Diagnostic[] {
  const names = new Set(
    trace.tensors.flatMap(({ dynamicDims, name }) =>
      dynamicDims !== undefined && name !== undefined && boundNames.has(name.text)
        ? [name.text]
        : [],
    ),
  );
  if (names.size === 0 || parallelSetting(trace) === undefined) return [];
  const functions = functionsIn(createParser()(source, true).statements);
  const asked = cellsRun(trace).flatMap(({ cell }) =>
    compiledOf(cell, source, functions).flatMap((node) => {
      const self = node.parameters[0]?.name ?? "";
      const { read, bound } = readingsOf(node, (test) =>
        foldedTest(test, self, (name) => cell.attributes.get(name)),
      );
      const own = new Set([
        ...node.parameters.map(({ name }) => name),
        ...bound.flatMap(namesBound),
      ]);
      const ofModule = read.flatMap(namesRead).filter(({ name }) => !own.has(name));
      return [...read.flatMap(namesAsked), ...ofModule];
    }),
  );
  return [...names].flatMap((name): Diagnostic[] => {
    const span = asked.find((each) => each.name === name)?.span;
    if (span === undefined) return [];
    const message = `"${name}" is a name of the module, for a tensor some of whose lengths are known at run time only: MindSpore 2.10 prints what that name holds, which can fail with a ValueError before the net is compiled; give one of the two another name`;
    return [{ code: "mindspore/dynamic-name", severity: "warning", message, span }];
  });
}

/** The names of which an expression reads attributes: `x` of `x.shape[0]`. */
function namesAsked(expression: Expression): readonly ReadName[] {
  const inner = partsOf(expression).flatMap(namesAsked);
  if (expression.kind !== "attribute" || expression.object.kind !== "name") return inner;
  const { name, span } = expression.object;
  return [{ name, span }, ...inner];
}
