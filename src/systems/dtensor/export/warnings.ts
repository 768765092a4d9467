import type { Diagnostic } from "#core/diagnostics";
import { tensorsById } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { type MeshText, plainOrder } from "../plain-order.ts";
import {
  cutConvolutions,
  type WrongForm,
  wrongBlocks,
  wrongMesh,
  wrongNumbers,
} from "../wrong-numbers.ts";

/** Sentence per form that DTensor computes wrongly: what the file does instead. */
const instead: Readonly<Record<WrongForm, string>> = {
  "dtensor/rows-not-ascending": "the file counts ranks along the mesh instead",
  "dtensor/flattened-transpose": "the file counts ranks along the mesh instead",
  "dtensor/flattened-uneven": "no file is written for uneven blocks",
  "dtensor/uneven-from-local": "no file is written for uneven blocks",
  "dtensor/cut-convolution": "the file runs it on the blocks of the plan instead",
};

/**
 * Codes of diagnostics about unevenly cut dims, whose fix leaves the dim whole or cuts it evenly.
 */
const unevenCodes: readonly string[] = ["plan/uneven-split", "document/uneven-layout"];

/**
 * Warnings about forms of a plan that DTensor 2.13 computes wrongly: what an exported file does
 * instead, and a safe fix of the text, if there is one.
 *
 * @param said the text's diagnostics; those about uneven dims have a fix
 * @param text the text, with the span of its mesh
 */
export function dtensorWarnings(
  program: SpmdProgram,
  said: readonly Diagnostic[],
  text?: MeshText,
): readonly Diagnostic[] {
  const [first] = program.values;
  const order = first && wrongMesh(first.layout.mesh);
  const tensors = tensorsById(program.graph);
  const forms = new Set<WrongForm>(order === undefined ? [] : [order]);
  for (const { tensor, layout } of program.values) {
    const form = wrongBlocks(layout, tensors.get(tensor)?.shape ?? []);
    if (form !== undefined) forms.add(form);
  }
  if (cutConvolutions(program).length > 0) forms.add("dtensor/cut-convolution");
  return [...forms].map((form) => {
    const { message, ...warning } = wrongNumbers(form);
    const isUneven = form === "dtensor/flattened-uneven" || form === "dtensor/uneven-from-local";
    const even = said.flatMap(({ code, fixes: [fix] = [] }) =>
      isUneven && fix !== undefined && unevenCodes.includes(code) ? [fix] : [],
    );
    const ordered =
      form === order && text !== undefined ? plainOrder(text, program.devices.length) : [];
    const fixes = [...ordered, ...even];
    const span = form === order && text !== undefined ? { span: text.mesh } : {};
    return { ...warning, message: `${message}; ${instead[form]}`, ...span, fixes };
  });
}
