import { memo } from "react";
import { haloSentence, sentenceOf } from "#app/scene";
import type { TensorView } from "#app/state";
import type { Tensor } from "#core/ir";
import { LayoutLabel } from "../drawing/LayoutLabel.tsx";
import { givenText } from "../words.ts";

interface Props {
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly halos?: Parameters<typeof haloSentence>[0] | undefined;
}

/** A tensor in words as its first reader holds it, and how it lies before, where that differs. */
export const TensorWords = memo(function TensorWords({ tensor, view, halos }: Props) {
  return (
    <p className="sent">
      {sentenceOf(tensor, view.layout)}
      {halos !== undefined && ` ${haloSentence(halos, tensor.dimNames)}`}
      {givenText(view)}
      {view.atRest && (
        <span className="mut">
          {" "}
          So its first reader holds it; at rest it lies as{" "}
          <LayoutLabel layout={view.atRest} dimNames={tensor.dimNames} />.
        </span>
      )}
    </p>
  );
});
