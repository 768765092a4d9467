import type { RemovedRedistribution } from "#app/scene/difference";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { keyed } from "../drawing/keyed.ts";

interface Props {
  readonly gone: readonly RemovedRedistribution[];
  readonly words: string;
  /** Shortened form; absent where collectives and words both fit. */
  readonly form?: "words" | "sign" | undefined;
}

/** Redistributions that only the baseline has at this place: the first one, and their number. */
export function GoneSends({ gone, words, form }: Props) {
  const [first] = form === undefined ? gone : [];
  if (form === "sign") return <b>−</b>;
  const count = gone.length > 1 ? ` ×${gone.length}` : "";
  return (
    <>
      <b>−</b>
      {keyed(first?.steps ?? []).map(({ key, item }) => (
        <span key={key} className="dstep">
          <CollectiveIcon collective={item.collective} size={11} />
          {keyed(item.axes).map(({ key: axis, item: tag }) => (
            <AxisChip key={axis} tag={tag} />
          ))}
        </span>
      ))}
      <span>
        {words}
        {count}
      </span>
    </>
  );
}
