import { Maximize, Minus, Plus } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import type { Stretched } from "./use-stretch.ts";

interface Props {
  readonly stretched: Stretched;
  /** The moment that stays at its place. */
  readonly at: number;
}

/** Buttons that do what the wheel and two fingers do. */
export function ZoomButtons({ stretched: { zoom, fit, isWhole, stretch }, at }: Props) {
  const isSeen = stretch.from <= at && at <= stretch.to;
  const about = isSeen ? at : (stretch.from + stretch.to) / 2;
  return (
    <span className="zoom-buttons">
      <IconButton
        icon={Minus}
        size={14}
        name="Show more of the step"
        onClick={() => zoom(0.5, about)}
      />
      <IconButton
        icon={Plus}
        size={14}
        name="Show less of the step"
        onClick={() => zoom(2, about)}
      />
      <IconButton
        icon={Maximize}
        size={14}
        name="Show the whole step"
        disabled={isWhole}
        onClick={fit}
      />
    </span>
  );
}
