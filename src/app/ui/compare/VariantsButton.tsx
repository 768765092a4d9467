import { LayoutGrid } from "lucide-react";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

/**
 * Button of a phone that shows the pinned plans and the present one side by side in the plan's tab.
 */
export function VariantsButton() {
  const show = useApp((state) => state.showVariants);
  const showSheet = useApp((state) => state.showSheet);
  const press = () => {
    show(true);
    showSheet("plan");
  };
  return (
    <button type="button" className="btn line" data-testid="variants-open" onClick={press}>
      <Icon icon={LayoutGrid} size={14} />
      Variants
    </button>
  );
}
