import type { LucideIcon } from "lucide-react";
import { memo } from "react";

interface Props {
  readonly icon: LucideIcon;
  /** Side in CSS pixels. */
  readonly size?: number;
}

/** Icon beside or in place of a word; memoised, since most renders do not change it. */
export const Icon = memo(function Sign({ icon: Shape, size = 16 }: Props) {
  return <Shape className="ico" size={size} strokeWidth={1.75} aria-hidden="true" />;
});
