import type { AssignedPiece, Level } from "#language/document/bindings";

import type { PolicyNode } from "./policy-node.ts";

/** The levels of a nested partition and its leaves, or `undefined` when pieces are cut unalike. */
export function uniformLevels(
  node: PolicyNode,
): { readonly levels: readonly Level[]; readonly pieces: readonly AssignedPiece[] } | undefined {
  if (node.cut === undefined) return { levels: [], pieces: [{ path: [], devices: node.devices }] };
  const { level, pieces } = node.cut;
  const inner = pieces.map(uniformLevels);
  const [first] = inner;
  if (first === undefined) return undefined;
  const key = JSON.stringify(first.levels);
  if (inner.some((each) => each === undefined || JSON.stringify(each.levels) !== key)) {
    return undefined;
  }
  return {
    levels: [level, ...first.levels],
    pieces: inner.flatMap((each, index) =>
      (each?.pieces ?? []).map(({ path, devices }) => ({ path: [index, ...path], devices })),
    ),
  };
}
