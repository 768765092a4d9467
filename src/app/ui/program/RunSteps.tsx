import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ModuleLine } from "#app/scene/board";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly line: ModuleLine;
  readonly className: string;
  /** Size of the icons, in CSS pixels. */
  readonly size: number;
  /**
   * Whether the line is in a tree with a single tab stop, where Shift with an arrow does the same.
   */
  readonly isInTree?: boolean;
}

const ways = [
  { by: -1, name: "The layer before", icon: ChevronLeft, key: "←" },
  { by: 1, name: "The next layer", icon: ChevronRight, key: "→" },
] as const;

/** Buttons to the layers before and after the shown one. */
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
