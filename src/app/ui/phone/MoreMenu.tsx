import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../atoms/IconButton.tsx";
import { Popover } from "../atoms/Popover.tsx";
import { copyLink } from "../export/copy-link.ts";
import { pickFile } from "../export/pick-file.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";

/** Menu of the entries that do not fit in a phone's head. */
export function MoreMenu() {
  const [isOpen, setOpen] = useState(false);
  const actions = useActions();
  const store = useAppStore();
  const next = useApp((state) => state.history.future.at(-1)?.label);
  const redo = useApp((state) => state.redo);
  const setTheme = useApp((state) => state.setTheme);
  const openSheet = useApp((state) => state.openSheet);
  const other = useResolvedTheme() === "dark" ? "light" : "dark";
  const doAndClose = (act: () => void) => () => {
    act();
    setOpen(false);
  };
  return (
    <div className="menu-wrap more-wrap">
      <IconButton
        icon={Ellipsis}
        size={18}
        name="More"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover className="more-pop" label="More" onClose={() => setOpen(false)}>
          <div className="menu">
            {next !== undefined && (
              <button type="button" onClick={doAndClose(redo)}>
                Redo: {next}
              </button>
            )}
            <button type="button" onClick={doAndClose(() => openSheet("palette"))}>
              Find or do
            </button>
            <button type="button" onClick={doAndClose(() => pickFile(actions))}>
              Open a file
            </button>
            <button type="button" onClick={doAndClose(() => void copyLink(store, actions))}>
              Copy link to this
            </button>
            <button type="button" onClick={doAndClose(() => store.getState().present(true))}>
              Present
            </button>
            <button type="button" onClick={doAndClose(() => setTheme(other))}>
              Switch to the {other} theme
            </button>
            <button type="button" onClick={doAndClose(() => openSheet("settings"))}>
              Settings
            </button>
          </div>
        </Popover>
      )}
    </div>
  );
}
