import type { StoreApi } from "zustand/vanilla";
import type { Gesture } from "#edit";
import type { AppState } from "./app-state.ts";
import type { Selection } from "./view-slice.ts";

/** Names of the store's actions. */
export type ActName = {
  [Name in keyof AppState]: AppState[Name] extends (...given: never[]) => unknown ? Name : never;
}[keyof AppState];

/**
 * Actions that the user does not start: answers, pointing, and the completion of earlier actions.
 */
const unasked: ReadonlySet<string> = new Set<ActName>([
  "compileSource",
  "forgetCompiled",
  "place",
  "forgetPlaces",
  "arrangeBoard",
  "zoomGraph",
  "showRunOf",
  "fitBoard",
  "tellOpen",
  "forgetBoard",
  "forgetRun",
  "forgetPlan",
  "planDesk",
  "limitMemory",
  "preview",
  "drawExample",
  "askUpstreamRun",
  "askBodies",
  "askPolicies",
  "lookForAlternatives",
  "holdBaselines",
  "keepSwapped",
  "hoverDevice",
  "linkText",
  "linkParts",
  "linkOperators",
  "focusAxis",
  "lightPart",
  "say",
  "noteText",
  "countTexts",
  "rememberRemoved",
  "remember",
]);

/** Actions that the step view calls while it plays. */
const played: ReadonlySet<string> = new Set<ActName>(["showFrame", "playStep"]);

/**
 * The actions of a store, wrapped so that each first releases the armed axis. The axis stays armed
 * during actions that the user does not start, and on the way to a dim: selecting a tensor, or
 * opening a tab with dims.
 */
export function lettingGo({ getState, setState }: StoreApi<AppState>): Partial<AppState> {
  const acts = getState();
  const letGo = () => {
    if (getState().armedAxis !== undefined) setState({ armedAxis: undefined });
  };
  const others = Object.entries(acts).flatMap(([name, act]: [string, unknown]) => {
    if (typeof act !== "function" || unasked.has(name)) return [];
    const ending = (...given: readonly unknown[]): unknown => {
      if (!(played.has(name) && getState().isPlaying)) letGo();
      return act(...given);
    };
    return [[name, ending]];
  });
  const unless = (goesOn: boolean) => {
    if (!goesOn) letGo();
  };
  return {
    ...Object.fromEntries(others),
    armAxis: acts.armAxis,
    select: (selection) => {
      unless(isTensor(selection) || getState().isPlaying);
      acts.select(selection);
    },
    gesture: (gesture, manner) => {
      unless(isOf(gesture, getState().armedAxis));
      return acts.gesture(gesture, manner);
    },
    showSheet: (tab) => {
      unless(tab === "plan" || tab === "tensor");
      acts.showSheet(tab);
    },
    openSheet: (sheet) => {
      unless(sheet === undefined);
      acts.openSheet(sheet);
    },
    choose: (target) => {
      unless(target === undefined);
      acts.choose(target);
    },
    dragTo: (drag) => {
      unless(drag === undefined);
      acts.dragTo(drag);
    },
  };
}

function isTensor({ tensor, operator, redistribution }: Selection): boolean {
  return tensor !== undefined && operator === undefined && redistribution === undefined;
}

/**
 * Whether a gesture puts the armed axis on a dim; if it is refused, the user may try another dim.
 */
function isOf(gesture: Gesture, axis: string | undefined): boolean {
  return gesture.kind === "split" && gesture.axis === axis;
}
