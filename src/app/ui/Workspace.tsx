import { type CSSProperties, lazy, type ReactNode, Suspense } from "react";
import { isPlanBeside } from "#app/state/planning";
import { TabList, tabId } from "./atoms/TabList.tsx";
import { PlanCanvas } from "./board/PlanCanvas.tsx";
import { CanvasNotes } from "./canvas/CanvasNotes.tsx";
import { Hud } from "./hud/Hud.tsx";
import { Lesson } from "./lesson/Lesson.tsx";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { PlanBoundary } from "./PlanBoundary.tsx";
import { PlanPlace } from "./planner/PlanButton.tsx";
import { ProgramPanel } from "./program/ProgramPanel.tsx";
import { PublishedNotes } from "./published/PublishedNotes.tsx";
import { Splitter } from "./Splitter.tsx";
import type { Screen } from "./screen.ts";
import { Inspector } from "./side/Inspector.tsx";
import { MeshPanel } from "./side/MeshPanel.tsx";
import { Deferred, useApp } from "./store-context.tsx";
import { isLargeStep } from "./timeline/use-lower-tab.ts";
import { TopBar } from "./top/TopBar.tsx";
import { useProgramFold } from "./use-program-fold.ts";
import { WhenDrawn } from "./WhenDrawn.tsx";

const stepView = () => import("./player/StepView.tsx");
const LowerPanel = lazy(async () => ({
  default: (await import("./timeline/LowerPanel.tsx")).LowerPanel,
}));
const StepBar = lazy(async () => ({ default: (await stepView()).StepBar }));
const StepSheet = lazy(async () => ({ default: (await stepView()).StepSheet }));

const ModuleTimes = lazy(async () => ({
  default: (await import("./timeline/ModuleTimes.tsx")).ModuleTimes,
}));

const RunPanel = lazy(async () => ({ default: (await import("./run/RunPanel.tsx")).RunPanel }));

const DimSheet = lazy(async () => ({ default: (await import("./phone/DimSheet.tsx")).DimSheet }));

const CostsPanel = lazy(async () => ({
  default: (await import("./hud/CostsPanel.tsx")).CostsPanel,
}));

/** Layout for tablets and desktops: panels beside each other. */
export function Workspace({ screen }: { readonly screen: Exclude<Screen, "phone"> }) {
  const isTablet = screen === "tablet";
  const isFolded = useProgramFold(screen);
  const hasLesson = useApp((state) => state.lesson !== undefined);
  return (
    <div className="app" style={usePanelSizes(isFolded && !hasLesson)}>
      <TopBar screen={screen} />
      <Lesson />
      {!isTablet && !isFolded && <Program screen={screen} />}
      <main className="mid" aria-label="Plan">
        {screen === "wide" && !isFolded && <Splitter panel="program" />}
        <PublishedNotes />
        <PlanBoundary name="The graph">
          <div className="plan-view">
            <PlanCanvas />
            <CanvasNotes />
          </div>
        </PlanBoundary>
        {!isTablet && (
          <PlanBoundary name="The step view">
            <Deferred>
              <SteppedLater fallback={<section className="player" aria-label="Redistribution" />}>
                <LowerPanel />
              </SteppedLater>
            </Deferred>
          </PlanBoundary>
        )}
        {!isTablet && <Splitter panel="side" />}
      </main>
      {isTablet && (
        <PlanBoundary name="The step view">
          <Deferred>
            <SteppedLater fallback={<section className="stepbar" aria-label="Redistribution" />}>
              <StepBar />
            </SteppedLater>
          </Deferred>
        </PlanBoundary>
      )}
      {isTablet ? <Sheet /> : <Side />}
      <PlanBoundary name="The cost bar">
        <Hud />
      </PlanBoundary>
      <PlanBoundary name="The choices">
        <Suspense fallback={null}>{isTablet && <DimSheet />}</Suspense>
      </PlanBoundary>
    </div>
  );
}

/** Player of the steps; its code is loaded when the plan is drawn. */
function SteppedLater({ children, fallback }: { children: ReactNode; fallback: ReactNode }) {
  return (
    <WhenDrawn fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </WhenDrawn>
  );
}

type PanelSizes = CSSProperties & Record<`--${string}`, string>;

/** Panel sizes set by the user, as properties for the style sheet. */
function usePanelSizes(isProgramFolded: boolean): PanelSizes {
  const { program, side, player } = useApp((state) => state.settings.panels);
  return {
    ...(program !== undefined && { "--prog-w": `${program}px` }),
    ...(isProgramFolded && { "--prog-w": "0px" }),
    ...(side !== undefined && { "--side-w": `${side}px` }),
    ...(player !== undefined && { "--player-h": `${player}px` }),
  };
}

function Program({ screen }: { readonly screen: Screen }) {
  const isOpen = useApp((state) => state.isDrawerOpen);
  const open = useApp((state) => state.openDrawer);
  if (screen === "drawer" && !isOpen) return null;
  return (
    <>
      {screen === "drawer" && (
        <button
          type="button"
          className="drawer-veil"
          aria-label="Close the program"
          onClick={() => open(false)}
        />
      )}
      <PanelBoundary name="The program" attempt={screen}>
        <ProgramPanel screen={screen} />
      </PanelBoundary>
    </>
  );
}

const sideTabs = [
  ["plan", "Mesh and tensor"],
  ["run", "Run"],
] as const;

/** Side panel: the mesh and a tensor; after a run, a tab beside them shows its result. */
function Side() {
  const isRun = useApp((state) => state.isRunShown);
  const hasRun = useApp((state) => state.run.kind !== "none");
  const showRun = useApp((state) => state.showRun);
  const isLarge = useApp(isLargeStep);
  const isPlan = useApp(isPlanBeside);
  return (
    <aside className="side" aria-label="Mesh and tensor">
      {(isRun || hasRun) && (
        <div className="head">
          <TabList
            className="head-tabs"
            label="Plan or run"
            tabs={sideTabs}
            value={isRun ? "run" : "plan"}
            onChange={(tab) => showRun(tab === "run")}
          />
        </div>
      )}
      {isRun ? (
        <PlanBoundary name="The run">
          <Suspense fallback={null}>
            <RunPanel />
          </Suspense>
        </PlanBoundary>
      ) : (
        <>
          <PlanBoundary name="The mesh">
            <MeshPanel />
          </PlanBoundary>
          {isLarge && !isPlan && <Modules />}
          <PlanOrTensor />
          {(!isLarge || isPlan) && <Modules />}
        </>
      )}
    </aside>
  );
}

const places = [
  ["plan", "Plan"],
  ["tensor", "Tensor"],
] as const;

/** The planner's panel or the tensor's, as tabs; picking a tensor shows the latter. */
function PlanOrTensor() {
  const hasPlan = useApp((state) => state.isPlannerOpen);
  const isPlan = useApp(isPlanBeside);
  const show = useApp((state) => state.showPlan);
  return (
    <>
      {hasPlan && (
        <div className="head">
          <TabList
            className="head-tabs"
            label="Plan or tensor"
            tabs={places}
            value={isPlan ? "plan" : "tensor"}
            onChange={(tab) => show(tab === "plan")}
          />
        </div>
      )}
      {isPlan ? (
        <PlanBoundary name="The planner">
          <PlanPlace canBePinned />
        </PlanBoundary>
      ) : (
        <PlanBoundary name="The tensor">
          <Inspector hasSheet={false} />
        </PlanBoundary>
      )}
    </>
  );
}

function Modules() {
  return (
    <PlanBoundary name="The modules">
      <Deferred>
        <SteppedLater fallback={null}>
          <ModuleTimes />
        </SteppedLater>
      </Deferred>
    </PlanBoundary>
  );
}

const tabs = [
  ["mesh", "Mesh"],
  ["tensor", "Tensor"],
  ["planner", "Plan"],
  ["steps", "Steps"],
  ["run", "Run"],
  ["program", "Program"],
  ["costs", "Costs"],
] as const;

/** Id of the tensor tab, which shows a cell of a run. */
const tensorTab = () => tabId("Panels", "tensor");

/** Tabbed panels below the canvas of a tablet, one at a time. */
function Sheet() {
  const wanted = useApp((state) => state.sheetTab);
  const show = useApp((state) => state.showSheet);
  const hasPlan = useApp((state) => state.isPlannerOpen);
  const isElsewhere = wanted === "plan" || (wanted === "planner" && !hasPlan);
  const tab = isElsewhere ? "tensor" : wanted;
  const shown = hasPlan ? tabs : tabs.filter(([name]) => name !== "planner");
  return (
    <aside className="side" aria-label="Panels">
      <TabList className="sheettabs" label="Panels" tabs={shown} value={tab} onChange={show} />
      <div className="sheet-body">
        <PlanBoundary name="This panel">
          {tab === "mesh" && <MeshPanel />}
          {tab === "tensor" && <Inspector hasSheet />}
          {tab === "planner" && <PlanPlace />}
          {tab === "steps" && (
            <Suspense fallback={null}>
              <StepSheet />
            </Suspense>
          )}
          {tab === "run" && (
            <Suspense fallback={null}>
              <RunPanel focusOn={tensorTab} />
            </Suspense>
          )}
          {tab === "program" && <ProgramPanel screen="tablet" />}
          {tab === "costs" && (
            <Suspense fallback={null}>
              <CostsPanel hasMeters={false} />
            </Suspense>
          )}
        </PlanBoundary>
      </div>
    </aside>
  );
}
