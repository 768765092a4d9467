import type { LucideIcon } from "lucide-react";
import { memo } from "react";

interface Props {
  readonly icon: LucideIcon;
  /** Side in CSS pixels. */
  readonly size?: number;
}

/** A sign beside a word or in place of one; what stands around it is drawn again without it. */
export const Icon = memo(function Sign({ icon: Shape, size = 16 }: Props) {
  return <Shape className="ico" size={size} strokeWidth={1.75} aria-hidden="true" />;
});
