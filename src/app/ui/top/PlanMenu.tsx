import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { titleOf } from "#app/state";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

const PlanChoices = lazy(async () => ({
  default: (await import("./PlanChoices.tsx")).PlanChoices,
}));

/** The name of the document; pressing it opens the menu of plans. */
export function PlanMenu() {
  const [isOpen, setOpen] = useState(false);
  const title = useApp(titleOf);
  return (
    <div className="menu-wrap">
      <button
        type="button"
        className="btn plan-btn"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={title}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{title}</span>
        <Icon icon={ChevronDown} size={14} />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <PlanChoices onChosen={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
