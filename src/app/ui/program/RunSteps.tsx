import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ModuleLine } from "#app/scene/board";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly line: ModuleLine;
  readonly className: string;
  /** The size of its icons, in CSS pixels. */
  readonly size: number;
  /**
   * Whether the tree has one Tab stop for all its lines, so that Shift with an arrow does the same.
   */
  readonly isInTree?: boolean;
}

const ways = [
  { by: -1, name: "The layer before", icon: ChevronLeft, key: "←" },
  { by: 1, name: "The next layer", icon: ChevronRight, key: "→" },
] as const;

/** Buttons that show the layer before or after. */
export function RunSteps({ line: { key: module, runs, shown }, className, size, isInTree }: Props) {
  const showRunOf = useApp((state) => state.showRunOf);
  return (
    <span className={className}>
      {ways.map(({ by, name, icon, key }) => {
        const next = runs[shown + by];
        const title = next === undefined ? name : `${name}: ${next} (Shift ${key})`;
        return (
          <button
            type="button"
            key={key}
            aria-label={name}
            {...(isInTree === true && { tabIndex: -1, title })}
            disabled={next === undefined}
            onClick={(event) => {
              event.stopPropagation();
              if (next !== undefined) showRunOf(module, next);
            }}
          >
            <Icon icon={icon} size={size} />
          </button>
        );
      })}
    </span>
  );
}
