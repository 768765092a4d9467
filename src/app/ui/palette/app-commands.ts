import { type Actions, type AppState, diagnosticsOf, shown, type Theme } from "#app/state";
import { toggleVariants } from "../compare/toggle-variants.ts";
import { pickFile } from "../export/pick-file.ts";
import { goToText } from "../go-to-text.ts";
import { graphCommands } from "../index-space/graph-commands.ts";
import { goToLesson } from "../lesson/go-to-lesson.ts";
import { nextProblem } from "../next-problem.ts";
import type { Screen } from "../screen.ts";
import { type Command, command } from "./command.ts";
import { viewCommands } from "./view-commands.ts";

/** Commands on the plan and the page; those that cannot be done now come last, with the reason. */
export function appCommands(state: AppState, actions: Actions, screen: Screen): readonly Command[] {
  const all = [
    ...editCommands(state),
    ...documentCommands(state, actions),
    ...compareCommands(state),
    ...viewCommands(state, screen),
    ...graphCommands(state, actions),
    ...pageCommands(state),
    ...themes(state),
  ];
  const isOff = ({ disabled }: Command) => disabled !== undefined;
  return [...all.filter((each) => !isOff(each)), ...all.filter(isOff)];
}

function editCommands(state: AppState): readonly Command[] {
  const last = state.history.past.at(-1)?.label;
  const next = state.history.future.at(-1)?.label;
  const hasProblem = diagnosticsOf(state).some(({ span }) => span !== undefined);
  return [
    command("undo", last === undefined ? "Undo" : `Undo: ${last}`, state.undo, {
      keys: "Ctrl Z",
      disabled: last === undefined ? "nothing has been edited" : undefined,
    }),
    command("redo", next === undefined ? "Redo" : `Redo: ${next}`, state.redo, {
      keys: "Ctrl Shift Z",
      disabled: next === undefined ? "nothing has been undone" : undefined,
    }),
    command("text", "Go to the text: the editor of the program", () => goToText(state), {
      keys: "E",
    }),
    command("problem", "Next problem in the text", () => nextProblem(state, 1), {
      keys: "F8",
      disabled: hasProblem ? undefined : "the text has no problem",
      alias: "error warning diagnostic",
    }),
    command(
      "fold-program",
      state.settings.isProgramFolded ? "Show the program" : "Fold the program away",
      () => state.set({ isProgramFolded: !state.settings.isProgramFolded }),
      { keys: "Ctrl B" },
    ),
    command("plan", "Plan: look for the fastest plan", () => void state.startPlan(), {
      keys: "P",
      disabled: shown(state) === undefined ? "the plan is not ready" : undefined,
    }),
    command(
      "run",
      "Run the plan: on every device, held against the whole",
      () => void state.startRun(),
      {
        keys: "R",
        disabled: runFault(state),
      },
    ),
  ];
}

function runFault(state: AppState): string | undefined {
  if (state.run.kind === "running") return "a run is under way";
  return shown(state) === undefined ? "the plan is not ready" : undefined;
}

function documentCommands(state: AppState, actions: Actions): readonly Command[] {
  const { kept, isEdited } = state.shownText;
  const base = `${location.origin}${location.pathname}`;
  return [
    command("share", "Share plan", () => state.openShare(base), {
      alias: "link copy address send embed",
    }),
    command(
      "export",
      "Export: pictures, texts and code of this plan",
      () => state.openShare(base),
      {
        alias: "save download print png svg pdf python source file",
      },
    ),
    command("present", "Present: fill the screen, step and hop by arrow keys", () =>
      state.present(true),
    ),
    command("gallery", "Open the examples", () => state.openGallery(true), { keys: "Ctrl O" }),
    command("words", "Look up a word: what it means, and what others call it", () =>
      state.openSheet("words"),
    ),
    command("lesson", "Open the first lesson", () => actions.openLesson("one-matmul")),
    ...(state.lesson === undefined
      ? []
      : [command("lesson says", "Back to the lesson", goToLesson, { keys: "L" })]),
    command("file", "Open a file: a text, or a picture with a plan inside", () =>
      pickFile(actions),
    ),
    command("plans", "Open my plans: rename, duplicate, delete", () => state.openSheet("plans"), {
      keys: "Ctrl Shift O",
    }),
    command("new", "New plan", actions.newPlan),
    command("draft", "Open my draft", actions.openDraft, {
      disabled: isEdited ? "this is your draft" : undefined,
    }),
    command("keep", "Keep this plan as my draft", actions.keepPlan, {
      disabled: kept === "no" ? undefined : "it is kept",
    }),
  ];
}

function compareCommands(state: AppState): readonly Command[] {
  const { baseline, pinBaseline, unpinBaseline, swapBaseline, openTable } = state;
  const { marksDifference, markDifference, areVariantsShown } = state;
  const none = baseline === undefined ? "no baseline is pinned" : undefined;
  const isPinned = { disabled: none };
  return [
    command("variant", "Keep this plan as a variant", pinBaseline, { keys: "V" }),
    command("pin", "Pin this plan as a baseline", pinBaseline, { keys: "C" }),
    areVariantsShown
      ? command("compare", "Stop comparing", () => toggleVariants(state))
      : command("compare", "Compare: the variants side by side", () => toggleVariants(state), {
          alias: "baseline difference",
        }),
    command(
      "marks",
      marksDifference
        ? "Take the marks of the baseline away"
        : "Mark what differs from the baseline",
      () => markDifference(!marksDifference),
      isPinned,
    ),
    command("swap", "Swap with the baseline", () => swapBaseline(), isPinned),
    command("unpin", "Unpin the baseline", () => unpinBaseline(), isPinned),
    command("parts memory", "Show what the memory is made of", () => openTable("memory")),
    command("parts comm", "Show what the communication is made of", () => openTable("comm")),
    command("parts time", "Show what the time is made of", () => openTable("time")),
  ];
}

function pageCommands(state: AppState): readonly Command[] {
  const { tensorDrawing, drawTensors, openSheet } = state;
  const other = tensorDrawing === "whole" ? "device" : "whole";
  return [
    command("drawing", `Draw tensors in the ${other} view`, () => drawTensors(other), {
      keys: "D",
    }),
    command("index space", "Show the index space of the operator", () => openSheet("projection")),
    command("outline", "Show the outline", () => state.showProgramTab("outline")),
    command("shortcuts", "Show the shortcuts", () => openSheet("shortcuts"), {
      keys: "?",
      alias: "keys keyboard help",
    }),
    command("settings", "Settings", () => openSheet("settings"), {
      alias: "preferences options notation",
    }),
  ];
}

const themeNames = { light: "light theme", dark: "dark theme", system: "system's theme" } as const;

function themes({ theme, setTheme }: AppState): readonly Command[] {
  const all: readonly Theme[] = ["light", "dark", "system"];
  return all.map((each) =>
    command(`theme ${each}`, `Use the ${themeNames[each]}`, () => setTheme(each), {
      disabled: each === theme ? "it is in use" : undefined,
    }),
  );
}
