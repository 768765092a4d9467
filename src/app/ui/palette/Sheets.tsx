import { type AppState, shown } from "#app/state";
import { ProjectionSheet } from "../loom/ProjectionSheet.tsx";
import { SettingsSheet } from "../settings/SettingsSheet.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { Palette } from "./Palette.tsx";
import { ShortcutsSheet } from "./ShortcutsSheet.tsx";
import { useLetterKeys } from "./use-letter-keys.ts";
import { usePaletteKeys } from "./use-palette-keys.ts";

/** The sheet that is open over the page, if any, and the keys that open one. */
export function Sheets() {
  const sheet = useApp((state) => state.sheet);
  const openSheet = useApp((state) => state.openSheet);
  usePaletteKeys();
  const store = useAppStore();
  useLetterKeys({
    "/": () => openSheet("palette"),
    "?": () => openSheet("shortcuts"),
    c: () => pinOrUnpin(store.getState()),
    v: () => {
      const { tensorDrawing, drawTensors } = store.getState();
      drawTensors(tensorDrawing === "whole" ? "device" : "whole");
    },
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

/** Pins the plan on screen, or lets go of it where it is pinned. */
function pinOrUnpin(state: AppState): void {
  const source = shown(state)?.source;
  const pinned = state.baselines.find(({ compiled }) => compiled.source === source);
  if (pinned === undefined) state.pinBaseline();
  else state.unpinBaseline(pinned);
}
