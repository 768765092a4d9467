import { Fragment, memo } from "react";
import { haloSentence } from "#app/scene/glyph";
import { sentenceOf, stateSentence } from "#app/scene/text";
import { restState, shownLayout, stateName, type TensorRead, type TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import { LayoutLabel } from "../drawing/LayoutLabel.tsx";
import { useSaidView } from "../use-said-view.ts";
import { givenText } from "../words.ts";

interface Props {
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly halos?: Parameters<typeof haloSentence>[0] | undefined;
}

/** A tensor in words as it is drawn, and its layout in its other states. */
export const TensorWords = memo(function TensorWords({ tensor, view: made, halos }: Props) {
  const view = useSaidView(made);
  return (
    <p className="sent">
      {sentenceOf(tensor, shownLayout(view))}
      {halos !== undefined && ` ${haloSentence(halos, tensor.dimNames)}`}
      {givenText(view)}
      {view.reads !== undefined && <OtherStates tensor={tensor} view={view} reads={view.reads} />}
    </p>
  );
});

/** The most states that are told; a line counts the others. */
const told = 3;

function OtherStates({
  tensor,
  view,
  reads,
}: Pick<Props, "tensor" | "view"> & { readonly reads: readonly TensorRead[] }) {
  const all = [undefined, ...reads].filter((read) => read !== view.shown);
  return (
    <span className="mut">
      {stateSentence(view)}
      {all.slice(0, told).map((read) => (
        <Fragment key={read === undefined ? "" : `${read.operator} ${read.operand}`}>
          {` ${stateName(view, read).replace(/^a/, "A")}: `}
          <LayoutLabel layout={(read ?? restState(view)).layout} dimNames={tensor.dimNames} />.
        </Fragment>
      ))}
      {all.length > told && ` ${all.length - told} more read it otherwise.`}
    </span>
  );
}
