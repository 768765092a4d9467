import type { Diagnostic } from "#core/diagnostics";
import type { SystemReading } from "#language/document/bindings";

/**
 * Warnings for a name whose attributes `construct` reads, and that the module also binds to a
 * tensor with run-time lengths. MindSpore 2.10 first looks up every such name in the module and
 * prints the value, which fails for a tensor without elements (its parser's
 * `check_third_party_library_side_effect`). It raises a ValueError, whatever the name means in
 * `construct`. The drawing shows the net as it compiles once the names differ, or if a function
 * calls the net.
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
  if (names.size === 0) return [];
  const asked = constructsIn(source).flatMap(({ from, text }) =>
    [...text.matchAll(/(?<![.\w])([A-Za-z_]\w*)\.[A-Za-z_]/gu)].map(({ index, 1: name = "" }) => ({
      name,
      span: { from: from + index, to: from + index + name.length },
    })),
  );
  return [...names].flatMap((name): Diagnostic[] => {
    const span = asked.find((each) => each.name === name)?.span;
    if (span === undefined) return [];
    const message = `"${name}" is also a name of the module, for a tensor some of whose lengths are known at run time only: MindSpore 2.10 prints what the module's name holds, and fails; what is drawn compiles once one of the two has another name`;
    return [
      {
        ...{ code: "mindspore/dynamic-name", severity: "warning", message, span },
        upstream: "ValueError",
      },
    ];
  });
}

/**
 * The bodies of all `construct` methods: the following lines that are indented deeper than the
 * `def`.
 */
function constructsIn(source: string): readonly { readonly from: number; readonly text: string }[] {
  const heads = [...source.matchAll(/^([ \t]+)def construct\(.*\n/gmu)];
  return heads.map(({ index, 0: head, 1: indent = "" }) => {
    const from = index + head.length;
    const end = new RegExp(`^[ \\t]{0,${indent.length}}\\S`, "mu").exec(source.slice(from));
    return { from, text: source.slice(from, end === null ? undefined : from + end.index) };
  });
}
