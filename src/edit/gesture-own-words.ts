import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import { sameLayout } from "#core/mesh";
import { sameItems } from "#core/records";
import type { AxisLists } from "#language/document/trace";
import { ownCuts, ownPlaces } from "#systems";
import { axisLists, namesIn, sameLists } from "./gesture-axes.ts";
import type { Work } from "./gesture-target.ts";

/**
 * Edits that give operators the wanted cuts in the words of the text's systems. Each is checked:
 * these operators get the wanted cuts, and all others keep theirs.
 */
export function wordsForOperators(
  { document, reread }: Work,
  operators: readonly Operator[],
  planned: ReadonlyMap<OperatorId, AxisLists>,
  wanted: AxisLists,
): readonly (readonly TextEdit[])[] {
  const ids = new Set(operators.map(({ id }) => id));
  const cuts = new Map([...planned, ...[...ids].map((id) => [id, wanted] as const)]);
  const passages = ownCuts(document, cuts, ids);
  const isAll = (passage: { readonly operators: readonly OperatorId[] }) =>
    [...ids].every((id) => passage.operators.includes(id));
  const ways = passages.filter(isAll).flatMap(({ manners }) => manners.map(({ edits }) => edits));
  return ways.filter((edits) => {
    const after = reread(applyEdits(document.source, edits));
    const before = document.requests.operators;
    const others = [...before].filter(([id]) => !ids.has(id));
    const isCut = [...ids].every((id) =>
      sameLists(axisLists(after.compiled.plan.operators.get(id)?.strategy.cuts ?? {}), wanted),
    );
    return (
      isCut &&
      others.every(([id, { strategy }]) =>
        sameLists(
          axisLists(after.document.requests.operators.get(id)?.strategy.cuts ?? {}),
          axisLists(strategy.cuts),
        ),
      )
    );
  });
}

/**
 * Edits that place tensors in the words of systems, each checked to change no other tensor's
 * placement.
 */
export function wordsForPlaces(
  { document, members, reread }: Work,
  wanted: readonly (readonly string[])[],
): readonly (readonly TextEdit[])[] {
  const tensors = members.map(({ tensor }) => tensor);
  const ids = new Set<TensorId>(tensors.map(({ id }) => id));
  const ways = ownPlaces(
    document,
    tensors.map(({ name }) => name),
    wanted,
  );
  return ways.filter((edits) => {
    const after = reread(applyEdits(document.source, edits));
    const { placements } = after.document.requests;
    const rest = after.compiled.plan.placements;
    const isPlaced = [...ids].every((id) => {
      const dims = rest.get(id)?.layout.dims.map(({ parts }) => namesIn({ parts, chunks: "flat" }));
      return dims?.every((axes, dim) => sameItems(axes, wanted[dim] ?? [])) === true;
    });
    const written = new Set(document.trace.places.map(({ span }) => span.from));
    const others = [...document.requests.placements].filter(
      ([id, { span }]) => !ids.has(id) && span !== undefined && written.has(span.from),
    );
    return (
      isPlaced &&
      others.every(([id, { layout }]) => {
        const now = placements.get(id)?.layout;
        return now !== undefined && sameLayout(now, layout);
      })
    );
  });
}
