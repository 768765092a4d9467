import {
  ArrowLeftRight,
  FoldVertical,
  MoveRight,
  Scissors,
  Shuffle,
  Sigma,
  UnfoldHorizontal,
} from "lucide-react";
import { Icon } from "./Icon.tsx";

const icons = {
  "all-gather": UnfoldHorizontal,
  "reduce-scatter": FoldVertical,
  "all-reduce": Sigma,
  "all-to-all": Shuffle,
  "collective-permute": MoveRight,
  slice: Scissors,
  exchange: ArrowLeftRight,
} as const;

function isKnown(collective: string): collective is keyof typeof icons {
  return Object.hasOwn(icons, collective);
}

/** Icon of a collective, drawn beside its name. */
export function CollectiveIcon({
  collective,
  size = 14,
}: {
  readonly collective: string;
  readonly size?: number;
}) {
  const Shape = isKnown(collective) ? icons[collective] : ArrowLeftRight;
  return <Icon icon={Shape} size={size} />;
}
