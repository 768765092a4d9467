import { X } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { shortcutGroups } from "./keys.ts";
import { keysHere } from "./keys-here.ts";
import { SheetDialog } from "./SheetDialog.tsx";

/** List of all keyboard shortcuts. */
export function ShortcutsSheet() {
  const openSheet = useApp((state) => state.openSheet);
  const hasLetters = useApp((state) => state.settings.hasLetterKeys);
  return (
    <SheetDialog className="shortcuts" label="Shortcuts">
      <div className="sheet-head">
        <h2>Shortcuts</h2>
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </div>
      <div className="shortcut-groups">
        {shortcutGroups.map(({ title, areLetters, shortcuts }) => (
          <section key={title}>
            <h3>
              {title}
              {areLetters === true && !hasLetters && <span className="tag">switched off</span>}
            </h3>
            <dl>
              {shortcuts.map(({ keys, what }) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keysHere(keys)}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        <button type="button" className="btn" onClick={() => openSheet("settings")}>
          Settings
        </button>{" "}
        <button type="button" className="btn" onClick={() => openSheet("words")}>
          Words of the field
        </button>
      </p>
    </SheetDialog>
  );
}
