import { LayoutGrid } from "lucide-react";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

/** Button that opens the gallery of examples. */
export function GalleryButton() {
  const open = useApp((state) => state.openGallery);
  return (
    <button
      type="button"
      className="btn"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+O Meta+O"
      title="Examples (Ctrl+O)"
      onClick={() => open(true)}
    >
      <Icon icon={LayoutGrid} size={15} />
      Examples
    </button>
  );
}
