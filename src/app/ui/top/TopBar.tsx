import { Code, GitCompareArrows, Redo2, Settings2, SunMoon, Undo2 } from "lucide-react";
import { BrandMark } from "../atoms/Brand.tsx";
import { Icon } from "../atoms/Icon.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import { toggleVariants } from "../compare/toggle-variants.ts";
import { GalleryButton } from "../gallery/GalleryButton.tsx";
import { PageTitle } from "../PageTitle.tsx";
import { keysHere } from "../palette/keys-here.ts";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { PlanButton } from "../planner/PlanButton.tsx";
import type { Screen } from "../screen.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import { foldProgram } from "../use-program-fold.ts";
import { PlanMenu } from "./PlanMenu.tsx";
import { ShareButtons } from "./ShareButtons.tsx";

/** Brand, document, log, share link and theme. */
export function TopBar({ screen }: { readonly screen: Screen }) {
  return (
    <header className="top">
      <PageTitle />
      <div className="l">
        <span className="brand">
          <BrandMark />
          <span className="brand-word">Shardboard</span>
        </span>
        <span className="sepv" />
        <PlanMenu />
        <GalleryButton />
      </div>
      <div className="r">
        {screen === "drawer" && <DrawerButton />}
        {screen === "wide" && <UnfoldButton />}
        <PaletteButton screen={screen} />
        <span className="sepv" />
        <UndoButton />
        <RedoButton />
        <span className="sepv" />
        <PlanButton />
        {screen === "wide" && <CompareButton />}
        <ShareButtons hasExport={screen === "wide"} />
        <span className="sepv" />
        <ThemeButton />
        <SettingsButton />
      </div>
    </header>
  );
}

function DrawerButton() {
  const isOpen = useApp((state) => state.isDrawerOpen);
  const open = useApp((state) => state.openDrawer);
  return (
    <>
      <button type="button" className="btn" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        <Icon icon={Code} />
        Program
      </button>
      <span className="sepv" />
    </>
  );
}

/** Shown where the program is folded away beside the canvas. */
function UnfoldButton() {
  const store = useAppStore();
  const isFolded = useApp((state) => state.settings.isProgramFolded);
  if (!isFolded) return null;
  return (
    <>
      <button
        type="button"
        className="btn"
        data-fold="program"
        title={`Show the program (${keysHere("Ctrl B")})`}
        onClick={() => foldProgram(store.getState())}
      >
        <Icon icon={Code} />
        Program
      </button>
      <span className="sepv" />
    </>
  );
}

export function UndoButton() {
  const last = useApp((state) => state.history.past.at(-1)?.label);
  const undo = useApp((state) => state.undo);
  const name = last === undefined ? "Undo" : `Undo: ${last}`;
  return <IconButton icon={Undo2} name={name} disabled={last === undefined} onClick={undo} />;
}

function RedoButton() {
  const next = useApp((state) => state.history.future.at(-1)?.label);
  const redo = useApp((state) => state.redo);
  const name = next === undefined ? "Redo" : `Redo: ${next}`;
  return <IconButton icon={Redo2} name={name} disabled={next === undefined} onClick={redo} />;
}

/** Shows the plan beside the pinned ones; without any, it is pinned for later ones. */
function CompareButton() {
  const store = useAppStore();
  const areShown = useApp((state) => state.areVariantsShown);
  return (
    <button
      type="button"
      className="btn"
      data-testid="compare"
      aria-pressed={areShown}
      title="Hold this plan against others, side by side"
      onClick={() => toggleVariants(store.getState())}
    >
      <Icon icon={GitCompareArrows} size={15} />
      Compare
    </button>
  );
}

function ThemeButton() {
  const setTheme = useApp((state) => state.setTheme);
  const theme = useResolvedTheme();
  const next = theme === "dark" ? "light" : "dark";
  return (
    <IconButton
      icon={SunMoon}
      name={`Switch to the ${next} theme`}
      onClick={() => setTheme(next)}
    />
  );
}

function SettingsButton() {
  const openSheet = useApp((state) => state.openSheet);
  return <IconButton icon={Settings2} name="Settings" onClick={() => openSheet("settings")} />;
}
