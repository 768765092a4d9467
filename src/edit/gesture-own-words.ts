import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import { type Part, sameLayout } from "#core/mesh";
import { fieldOf, sameItems } from "#core/records";
import type { AxisLists } from "#language/document/trace";
import { ownCuts, ownPlaces } from "#systems";
import { axisNames, namesIn, type Work } from "./gesture-views.ts";

/**
 * Edits in the system words that the text already uses which give the operators the wanted cuts.
 * Each is checked: these operators are cut as wanted, and all others stay.
 */
export function wordsForOperators(
  { document, compiled, reread }: Work,
  operators: readonly Operator[],
  wanted: AxisLists,
): readonly (readonly TextEdit[])[] {
  const ids = new Set(operators.map(({ id }) => id));
  const planned = new Map(
    [...compiled.plan.operators].map(([id, { strategy }]) => [id, listsOf(strategy.cuts)]),
  );
  for (const id of ids) planned.set(id, wanted);
  const passages = ownCuts(document, planned, ids);
  const isAll = (passage: { readonly operators: readonly OperatorId[] }) =>
    [...ids].every((id) => passage.operators.includes(id));
  const ways = passages.filter(isAll).flatMap(({ manners }) => manners.map(({ edits }) => edits));
  return ways.filter((edits) => {
    const after = reread(applyEdits(document.source, edits));
    const before = document.requests.operators;
    const others = [...before].filter(([id]) => !ids.has(id));
    const isCut = [...ids].every((id) =>
      sameLists(listsOf(after.compiled.plan.operators.get(id)?.strategy.cuts ?? {}), wanted),
    );
    return (
      isCut &&
      others.every(([id, { strategy }]) =>
        sameLists(
          listsOf(after.document.requests.operators.get(id)?.strategy.cuts ?? {}),
          listsOf(strategy.cuts),
        ),
      )
    );
  });
}

/** The ways of systems to place tensors as wanted; of each it is seen that no other one moves. */
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

function listsOf(cuts: Readonly<Record<string, readonly Part[]>>): AxisLists {
  return Object.fromEntries(Object.entries(cuts).map(([name, parts]) => [name, axisNames(parts)]));
}

function sameLists(a: AxisLists, b: AxisLists): boolean {
  return Object.keys({ ...a, ...b }).every((name) =>
    sameItems(fieldOf(a, name) ?? [], fieldOf(b, name) ?? []),
  );
}
