import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { titleOf } from "#app/state";
import "./styles/index.css";
import { AxisTextureDefs } from "./drawing/AxisTextureDefs.tsx";
import { LookProperties } from "./drawing/LookProperties.tsx";
import { Evidence } from "./evidence/Evidence.tsx";
import { Printing } from "./export/Printing.tsx";
import { useFileDrop } from "./export/use-file-drop.ts";
import { Gallery } from "./gallery/Gallery.tsx";
import { useTargetsClass } from "./gesture/use-targets-class.ts";
import { HiddenTables } from "./HiddenTables.tsx";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { PlanBoundary } from "./PlanBoundary.tsx";
import { Sheets } from "./palette/Sheets.tsx";
import { usePaste } from "./published/use-paste.ts";
import { useScreen } from "./screen.ts";
import { Deferred, useApp, useIsWorking } from "./store-context.tsx";
import { useMotionAttribute, useThemeAttribute } from "./theme.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { Workspace } from "./Workspace.tsx";
import { FirstVisit } from "./welcome/FirstVisit.tsx";

const PhoneApp = lazy(async () => ({ default: (await import("./phone/PhoneApp.tsx")).PhoneApp }));

const RefusalPage = lazy(async () => ({
  default: (await import("./RefusalPage.tsx")).RefusalPage,
}));

const EmbedPage = lazy(async () => ({
  default: (await import("./embed/EmbedPage.tsx")).EmbedPage,
}));

const TryBar = lazy(async () => ({ default: (await import("./embed/TryBar.tsx")).TryBar }));

const PresentPage = lazy(async () => ({
  default: (await import("./present/PresentPage.tsx")).PresentPage,
}));

const DragGhost = lazy(async () => ({
  default: (await import("./gesture/DragGhost.tsx")).DragGhost,
}));

/** The page: the plan, or the reason why a link was not opened. */
export function App() {
  useThemeAttribute();
  useMotionAttribute();
  useShortcuts();
  useFileDrop();
  usePaste();
  const refusal = useApp((state) => state.refusal);
  return (
    <PanelBoundary name="The page" attempt={refusal}>
      {refusal === undefined ? (
        <PlanPage />
      ) : (
        <Suspense fallback={<Coming what="Shardboard" />}>
          <RefusalPage refused={refusal} />
        </Suspense>
      )}
    </PanelBoundary>
  );
}

function PlanPage() {
  const title = useApp(titleOf);
  const sheet = useApp((state) => state.sheet);
  const isDragging = useApp(({ drag }) => drag !== undefined);
  useEffect(() => {
    document.title = `${title}, Shardboard`;
  }, [title]);
  return (
    <Root>
      <PanelBoundary name="The gallery" attempt={title}>
        <Gallery />
      </PanelBoundary>
      <PanelBoundary name="The measurements" attempt={title}>
        <Evidence />
      </PanelBoundary>
      <LookProperties />
      <AxisTextureDefs />
      <Suspense fallback={<Coming what="Shardboard" />}>
        <Arrangement />
      </Suspense>
      <PlanBoundary name="The tables">
        <Deferred>
          <HiddenTables />
        </Deferred>
      </PlanBoundary>
      <PlanBoundary name="What is dragged">
        <Suspense fallback={null}>{isDragging && <DragGhost />}</Suspense>
      </PlanBoundary>
      <PanelBoundary name="This sheet" attempt={sheet}>
        <Sheets />
      </PanelBoundary>
    </Root>
  );
}

/**
 * Page body by mode and screen size: the panels that fit, one requested view when embedded, or the
 * talk.
 */
function Arrangement() {
  const screen = useScreen();
  const mode = useApp((state) => state.mode);
  if (mode === "embed") {
    return (
      <Suspense fallback={<Coming what="Shardboard" />}>
        <EmbedPage />
      </Suspense>
    );
  }
  if (mode === "present") {
    return (
      <Suspense fallback={<Coming what="the talk" />}>
        <PresentPage />
      </Suspense>
    );
  }
  return (
    <>
      <div className="arranged">
        {mode === "try" && <TryBar />}
        <FirstVisit />
        {screen === "phone" ? <PhoneApp /> : <Workspace screen={screen} />}
      </div>
      <Printing />
    </>
  );
}

/** Placeholder words until the code of a part of the page is loaded. */
function Coming({ what }: { readonly what: string }) {
  return <p className="first-words">Loading {what}</p>;
}

/**
 * Reads the state that changes with every keystroke, so that a keystroke does not render the
 * children again.
 */
function Root({ children }: { readonly children: ReactNode }) {
  const working = useIsWorking();
  const targets = useTargetsClass();
  return (
    <div className={`root ${targets}`} data-ready={working ? "working" : "idle"}>
      {children}
    </div>
  );
}
