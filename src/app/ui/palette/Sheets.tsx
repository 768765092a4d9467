import { ProjectionSheet } from "../loom/ProjectionSheet.tsx";
import { SettingsSheet } from "../settings/SettingsSheet.tsx";
import { useApp } from "../store-context.tsx";
import { Palette } from "./Palette.tsx";
import { ShortcutsSheet } from "./ShortcutsSheet.tsx";
import { useLetterKeys } from "./use-letter-keys.ts";
import { usePaletteKeys } from "./use-palette-keys.ts";

/** The sheet that is open over the page, if any, and the keys that open one. */
export function Sheets() {
  const sheet = useApp((state) => state.sheet);
  const openSheet = useApp((state) => state.openSheet);
  usePaletteKeys();
  const pinned = useApp((state) => state.baseline);
  const pin = useApp((state) => (pinned === undefined ? state.pinBaseline : state.unpinBaseline));
  useLetterKeys({
    "/": () => openSheet("palette"),
    "?": () => openSheet("shortcuts"),
    c: pin,
  });
  switch (sheet) {
    case undefined:
      return null;
    case "palette":
      return <Palette />;
    case "shortcuts":
      return <ShortcutsSheet />;
    case "settings":
      return <SettingsSheet />;
    case "projection":
      return <ProjectionSheet />;
  }
}
