import { Search } from "lucide-react";
import { Icon } from "../atoms/Icon.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import type { Screen } from "../screen.ts";
import { useApp } from "../store-context.tsx";
import { keysHere } from "./keys-here.ts";

/** Button that opens the palette; on wide screens it shows its shortcut. */
export function PaletteButton({ screen }: { readonly screen: Screen }) {
  const openSheet = useApp((state) => state.openSheet);
  const open = () => openSheet("palette");
  if (screen !== "wide") {
    return <IconButton icon={Search} name="Find or do" testId="palette-open" onClick={open} />;
  }
  return (
    <button type="button" className="btn palette-open" data-testid="palette-open" onClick={open}>
      <Icon icon={Search} size={15} />
      Find or do
      <kbd>{keysHere("Ctrl K")}</kbd>
    </button>
  );
}
