import { Code, Link, Redo2, Settings2, SunMoon, Undo2 } from "lucide-react";
import { lazy, Suspense } from "react";
import { BrandMark } from "../atoms/Brand.tsx";
import { Icon } from "../atoms/Icon.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
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

const SharePopover = lazy(async () => ({
  default: (await import("./SharePopover.tsx")).SharePopover,
}));

/** Brand, document, log, share link and theme. */
export function TopBar({ screen }: { readonly screen: Screen }) {
  return (
    <header className="top">
      <PageTitle />
      <div className="l">
        <span className="brand">
          <BrandMark />
          Shardboard
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
        <ShareButton />
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

/** Where the program is folded away beside the canvas. */
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

export function ShareButton({ isIcon = false }: { readonly isIcon?: boolean }) {
  const share = useApp((state) => state.share);
  const openShare = useApp((state) => state.openShare);
  const closeShare = useApp((state) => state.closeShare);
  const isOpen = share.kind !== "closed";
  const toggle = () =>
    isOpen ? closeShare() : openShare(`${location.origin}${location.pathname}`);
  return (
    <div className="menu-wrap share-wrap">
      {isIcon ? (
        <IconButton
          icon={Link}
          size={18}
          name="Share"
          testId="share-link"
          aria-expanded={isOpen}
          onClick={toggle}
        />
      ) : (
        <button
          type="button"
          className="btn solid"
          data-testid="share-link"
          aria-expanded={isOpen}
          onClick={toggle}
        >
          <Icon icon={Link} size={15} />
          Share
        </button>
      )}
      <Suspense fallback={null}>
        {share.kind !== "closed" && <SharePopover share={share} onClose={closeShare} />}
      </Suspense>
    </div>
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
