import type { GalleryDrawing } from "#app/scene";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { keyed } from "../drawing/keyed.ts";

const pairSize = { width: 100, height: 76 };
/** Size of each tensor's drawing in CSS pixels, by the number of tensors side by side. */
const sizes = [pairSize, pairSize, pairSize, { width: 78, height: 68 }, { width: 56, height: 56 }];

/** Drawing of a card: a redistribution before and after, or tensors side by side. */
export function CardDrawing({ drawing }: { readonly drawing: GalleryDrawing }) {
  const { tensors, between } = drawing;
  if (between !== undefined) return <Pair drawing={drawing} between={between} />;
  const size = sizes[tensors.length] ?? pairSize;
  return keyed(tensors).map(({ key, item }) => (
    <span className="example-tensor" key={key}>
      <Glyph tensor={item.drawn} size={size} />
      <span className="mono">{item.name}</span>
    </span>
  ));
}

interface PairProps {
  readonly drawing: GalleryDrawing;
  readonly between: NonNullable<GalleryDrawing["between"]>;
}

function Pair({ drawing, between }: PairProps) {
  const [before, after] = drawing.tensors;
  if (before === undefined || after === undefined) return null;
  return (
    <>
      <span className="example-tensor">
        <Glyph tensor={before.drawn} size={pairSize} />
      </span>
      <span className="example-between">
        <span className="mono">{before.name}</span>
        {keyed(between).map(({ key, item }) => (
          <span className="example-step" key={key}>
            <CollectiveIcon collective={item.collective} />
            {item.axes.map((tag) => (
              <AxisChip key={tag.text} tag={tag} />
            ))}
          </span>
        ))}
        <span className="example-arrow" />
      </span>
      <span className="example-tensor">
        <Glyph tensor={after.drawn} size={pairSize} />
      </span>
    </>
  );
}
