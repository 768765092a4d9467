import { type AppState, titleOf } from "#app/state";
import { type Player, usePlayer } from "../player/use-player.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";

/** The content of one slide: all of the plan, a tensor, or a step. */
export type Slide = "plan" | "tensor" | "step";

/** The position of a talk, and the ways on. */
export interface Stops {
  readonly slide: Slide;
  readonly player: Player | undefined;
  readonly title: string;
  /** The step and the hop with their counts; absent before the first step. */
  readonly count: string;
  readonly forth: (() => void) | undefined;
  readonly back: (() => void) | undefined;
}

/** The stills of a frame; the moving one shows the states before and after too. */
const stills = 3;
const moving = 1;

/**
 * The stops of a talk: the whole plan, then each step, and of a ring each hop. One press moves by a
 * whole hop, since a frame shows the states before and after it at once.
 */
export function useStops(): Stops {
  const player = usePlayer();
  const store = useAppStore();
  const slide = useApp(slideOf);
  const plan = useApp(titleOf);
  const { frame, operator } = player ?? {};
  const isStep = slide === "step" && player !== undefined;
  const isFrame = isStep && frame !== undefined && operator === undefined;
  const hop = isFrame ? Math.floor(player.position / stills) : 0;
  const hops = isFrame ? Math.floor((player.last + 1) / stills) : 0;
  const state = () => store.getState();
  const toHop = (to: number) => () => state().showFrame(to * stills + moving);
  const toStep = (to: number, end: "first" | "last") => () => {
    if (to < 0) return state().showSheet("plan");
    state().showSheet("steps");
    player?.goToStep(to, end === "first" ? "move" : "last");
    if (end === "last" && state().playedStep === undefined) state().showFrame(state().frame - 1);
  };
  const at = isStep ? player.at : -1;
  const isLast = player === undefined || at + 1 >= player.steps.length;
  const title = isStep ? (player.steps[at]?.title ?? plan) : plan;
  return {
    ...{ slide, player, title },
    count: isStep ? countText(player, isFrame ? { hop, hops } : undefined) : "",
    forth:
      isFrame && hop + 1 < hops ? toHop(hop + 1) : isLast ? undefined : toStep(at + 1, "first"),
    back:
      isFrame && hop > 0 ? toHop(hop - 1) : slide === "plan" ? undefined : toStep(at - 1, "last"),
  };
}

/** `Step 3 of 8, hop 1 of 3`. */
function countText(
  { at, steps }: Player,
  ring: { readonly hop: number; readonly hops: number } | undefined,
): string {
  const hop = ring === undefined || ring.hops < 2 ? "" : `, hop ${ring.hop + 1} of ${ring.hops}`;
  return `Step ${at + 1} of ${steps.length}${hop}`;
}

function slideOf({ sheetTab }: AppState): Slide {
  if (sheetTab === "tensor") return "tensor";
  return sheetTab === "steps" ? "step" : "plan";
}

/** The stations of a talk: the steps of the lesson that is open, else those that the link carries. */
export interface Stations {
  readonly count: number;
  readonly at: number;
  readonly areOfLesson: boolean;
  readonly goTo: (at: number) => void;
}

export function useStations(): Stations {
  const actions = useActions();
  const store = useAppStore();
  const lessonSteps = useApp((state) => state.lesson?.lesson.steps.length);
  const lessonAt = useApp((state) => state.lesson?.at ?? 0);
  const own = useApp((state) => state.stations.length);
  const ownAt = useApp((state) => state.station);
  if (lessonSteps === undefined) {
    return { count: own, at: ownAt, areOfLesson: false, goTo: actions.goToStation };
  }
  const goTo = (at: number) => {
    if (at < 0 || at >= lessonSteps) return;
    // The lesson reported it when it was opened.
    void actions.lessons().then(
      (desk) => {
        desk.goTo(at);
        store.getState().present(true);
      },
      () => undefined,
    );
  };
  return { count: lessonSteps, at: lessonAt, areOfLesson: true, goTo };
}
