import { closest } from "../closest.ts";
import { contextOf, type LoomDocument, nodesOf, spanOf, titleOf } from "../document.ts";
import { type Finding, finding } from "../issue.ts";
import { nodeTypeOf } from "../uris.ts";

/** Checks that the dtype of every tensor is among the allowed ones. */
export function checkDtypes(document: LoomDocument, dtypes: readonly string[]): readonly Finding[] {
  const wrong = nodesOf(document, "Tensor").filter(({ dtype }) => !dtypes.includes(dtype));
  return wrong.map((tensor) => {
    const span = spanOf(document, tensor.id, ["body", "dtype"]);
    const meant = closest(tensor.dtype, dtypes);
    const fixes =
      meant === undefined || span === undefined
        ? []
        : [{ title: `Write "${meant}"`, edits: [{ ...span, text: JSON.stringify(meant) }] }];
    return finding({
      type: "NodeValidationError",
      constraint: "TensorDTypesAreValidConstraint",
      summary: `Tensor dtype (${tensor.dtype}) not a recognized type`,
      params: { nodeType: nodeTypeOf("Tensor") },
      contexts: [contextOf(document, "Tensor", tensor.id)],
      message: `"${tensor.dtype}" of tensor ${titleOf(tensor)} is none of the data types ${dtypes.join(", ")}`,
      span,
      fixes,
    });
  });
}
