import { forwardOnly } from "#app/scene/graph";
import { type AppState, drawn, isTrainingStep, shown } from "#app/state";
import { hardwareOf, machinePresets, parseMachine } from "#core/cost/machines";
import { planDrawingOf } from "../board/PlanCanvas.tsx";
import { drawTrained } from "../canvas/draw-trained.ts";
import type { Screen } from "../screen.ts";
import { type Command, command } from "./command.ts";

/**
 * Commands on the drawing of the plan (none for a phone's list), and on the machine that it is
 * priced on.
 */
export function viewCommands(state: AppState, screen: Screen): readonly Command[] {
  const isEmpty = (drawn(state)?.graph.operators.length ?? 0) === 0;
  if (isEmpty || screen === "phone") return machineCommands(state);
  return [...drawingCommands(state), ...barCommands(state), ...machineCommands(state)];
}

function drawingCommands(state: AppState): readonly Command[] {
  const isByRows = planDrawingOf(state) === "rows";
  const { showsViews } = state.board;
  const isForward = state.openRuns.has(forwardOnly);
  const parts = isForward
    ? command("training step", "Draw the whole training step", () => drawTrained(state, "step"), {
        alias: "backward gradients",
      })
    : command("forward only", "Draw the forward pass alone", () => drawTrained(state, "forward"), {
        alias: "forward only",
      });
  const rows = [
    command("as a graph", "Draw the plan as a graph", () => state.drawPlan("graph")),
    command("fit", "Fit the board", () => state.fitBoard(), { keys: "F", alias: "zoom whole" }),
  ];
  const graph = [command("by rows", "Draw the plan by rows", () => state.drawPlan("rows"))];
  return [
    ...(isByRows ? rows : graph),
    ...(isTrainingStep(drawn(state)) ? [parts] : []),
    command(
      "views",
      showsViews ? "Hide views, copies and casts" : "Show views, copies and casts",
      () => state.arrangeBoard({ showsViews: !showsViews }),
      { alias: "reshape transpose", disabled: isByRows ? undefined : "the graph draws them all" },
    ),
  ];
}

/** Commands that choose the quantity of the bars on the board's cards. */
function barCommands(state: AppState): readonly Command[] {
  return (["time", "bytes", "memory"] as const).map((heat) =>
    command(`bars ${heat}`, `Bars of the cards: ${heat}`, () => state.set({ heat }), {
      alias: "heat colour",
      disabled: state.settings.heat === heat ? "they show it" : undefined,
    }),
  );
}

function machineCommands(state: AppState): readonly Command[] {
  const current = shown(state)?.hardware.name;
  return machinePresets.flatMap((hardware) => {
    const machine = parseMachine(hardware);
    if (!machine.ok) return [];
    const { name } = hardwareOf(machine.value);
    const run = () => void state.gesture({ kind: "set-hardware", hardware });
    return [
      command(`machine ${hardware}`, `Machine: ${name}`, run, {
        alias: `hardware chip gpu cluster ${hardware}`,
        disabled: name === current ? "it is in use" : undefined,
      }),
    ];
  });
}
