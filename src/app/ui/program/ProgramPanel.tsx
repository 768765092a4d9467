import { PanelLeftClose } from "lucide-react";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import type { AppState } from "#app/state";
import type { Span } from "#core/diagnostics";
import { graphWords } from "#systems/graphs";
import { IconButton } from "../atoms/IconButton.tsx";
import { TabList } from "../atoms/TabList.tsx";
import { planDrawingOf } from "../board/PlanCanvas.tsx";
import { PanelBoundary } from "../PanelBoundary.tsx";
import { keysHere } from "../palette/keys-here.ts";
import type { Screen } from "../screen.ts";
import { Deferred, useActions, useApp, useAppStore } from "../store-context.tsx";
import { foldProgram } from "../use-program-fold.ts";
import { WhenDrawn } from "../WhenDrawn.tsx";
import type { EditorProps } from "./editor.ts";
import { editorCode } from "./editor-code.ts";
import { PlainEditor } from "./PlainEditor.tsx";
import { Problems } from "./Problems.tsx";
import type { Renaming } from "./RenameBar.tsx";

const MonacoEditor = lazy(async () => ({
  default: (await editorCode(() => import("./MonacoEditor.tsx"))).MonacoEditor,
}));

const TouchEditor = lazy(async () => ({
  default: (await editorCode(() => import("./TouchEditor.tsx"))).TouchEditor,
}));

const RenameBar = lazy(async () => ({ default: (await import("./RenameBar.tsx")).RenameBar }));

const ProgramParts = lazy(async () => ({
  default: (await import("./ProgramParts.tsx")).ProgramParts,
}));

const tabs = [
  ["program", "Program"],
  ["outline", "Outline"],
] as const;

/** Program's text or its outline, and the diagnostics. */
export function ProgramPanel({ screen }: { readonly screen: Screen }) {
  const tab = useApp((state) => state.programTab);
  const hasTabs = screen === "wide" || screen === "drawer";
  const isOutline = hasTabs && tab === "outline";
  const { renaming, start, close } = useRenaming();
  return (
    <section className="prog" aria-label="Program">
      {hasTabs && <ProgramHead tab={tab} canFold={screen === "wide"} />}
      <Deferred>
        <WhenDrawn>
          <Suspense fallback={null}>
            <ProgramParts isOutline={isOutline} />
          </Suspense>
        </WhenDrawn>
      </Deferred>
      {!isOutline && (
        <div className="code" data-testid="program">
          {renaming !== undefined && (
            <Suspense fallback={null}>
              <RenameBar key={renaming.offset} renaming={renaming} onClose={close} />
            </Suspense>
          )}
          <div className="code-body">
            <PanelBoundary name="The editor" attempt={screen}>
              <Editors isTouch={!hasTabs || isCoarse()} onRename={start} />
            </PanelBoundary>
          </div>
        </div>
      )}
      <Problems />
    </section>
  );
}

interface ProgramHeadProps {
  readonly tab: AppState["programTab"];
  readonly canFold: boolean;
}

/** Head of the panel: tabs, a hint for the shown one, and the button that folds the panel. */
function ProgramHead({ tab, canFold }: ProgramHeadProps) {
  const show = useApp((state) => state.showProgramTab);
  const isByRows = useApp((state) => planDrawingOf(state) === "rows");
  const store = useAppStore();
  return (
    <div className="head">
      <TabList
        className="head-tabs"
        label="Program or outline"
        tabs={tabs}
        value={tab}
        onChange={show}
      />
      <span className="sp mut">
        {tab === "outline" ? (
          isByRows || "Sentences"
        ) : (
          <span title="In the editor, Tab indents once something was typed; Escape lets it leave, and Ctrl M for good. Ctrl Space offers what may stand here, F2 renames, F12 goes to the definition, F8 to the next problem.">
            Esc frees Tab
          </span>
        )}
      </span>
      {canFold && (
        <IconButton
          icon={PanelLeftClose}
          name={`Fold the program away (${keysHere("Ctrl B")})`}
          data-fold="program"
          onClick={() => foldProgram(store.getState())}
        />
      )}
    </div>
  );
}

/** Whether the primary pointer is touch, whatever the size of the window. */
function isCoarse(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** State of a renaming: the name at an offset, and the actions that start and end it. */
function useRenaming() {
  const { assist } = useActions();
  const say = useApp((state) => state.say);
  const reveal = useApp((state) => state.reveal);
  const [renaming, setRenaming] = useState<Renaming>();
  const start = useCallback(
    (offset: number) => {
      void assist({ kind: "rename-target", offset }).then((reply) => {
        if (reply?.kind !== "rename-target") return;
        const { target } = reply;
        if (target.ok) setRenaming({ offset, kind: target.kind, name: target.name });
        else say({ kind: "refused", text: `Not renamed: ${target.reason}.` });
      });
    },
    [assist, say],
  );
  const close = useCallback(() => {
    setRenaming(undefined);
    if (renaming !== undefined) reveal({ from: renaming.offset, to: renaming.offset });
  }, [renaming, reveal]);
  return { renaming, start, close };
}

interface EditorsProps {
  readonly isTouch: boolean;
  readonly onRename: (offset: number) => void;
}

/** Editor of the program, or a graph's JSON with the plan below. */
function Editors(props: EditorsProps) {
  const isLoom = useApp((state) => state.document.texts !== undefined);
  const [wasLoom, setWasLoom] = useState(isLoom);
  const [hasSwitched, setSwitched] = useState(false);
  if (wasLoom !== isLoom) {
    setWasLoom(isLoom);
    setSwitched(true);
  }
  // Program and graph have separate editors; a user who is typing finds the caret in the new one.
  const typed = { ...props, goesOn: hasSwitched };
  if (!isLoom) return <PaintedEditor key="program" part="program" {...typed} />;
  return (
    <div className="two-texts">
      <section className="two-json" aria-label={graphWords.title}>
        <PaintedEditor part="json" {...typed} />
      </section>
      <section className="two-plan" aria-labelledby="plan-text">
        <h2 id="plan-text">
          Plan <span className="mut">mesh, strategies and places, by the labels of nodes</span>
        </h2>
        <div className="two-plan-body" data-testid="plan-text">
          <PaintedEditor part="plan" {...props} goesOn={false} />
        </div>
      </section>
    </div>
  );
}

/** Plain text area at once; the real editor replaces it when the plan is drawn. */
function PaintedEditor({ isTouch, ...props }: EditorsProps & Omit<EditorProps, "takeOver">) {
  const [isOpen, setOpen] = useState(false);
  const selection = useRef<() => Span | undefined>(() => undefined);
  const takeOver = useCallback(() => {
    const selected = selection.current();
    setOpen(true);
    return { selected, giveBack: () => setOpen(false) };
  }, []);
  const typed = { ...props, takeOver };
  return (
    <>
      {!isOpen && <PlainEditor part={props.part} selection={selection} />}
      <WhenDrawn>
        <Suspense fallback={null}>
          {isTouch ? <TouchEditor {...typed} /> : <MonacoEditor {...typed} />}
        </Suspense>
      </WhenDrawn>
    </>
  );
}
