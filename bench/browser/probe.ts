/** State of the page under test, kept by `installProbe`. */
interface Probe {
  /** The last visible change of any element or canvas. */
  readonly any: Seen;
  /** The last visible change within the graph, the mesh, the tensor or the cost bar. */
  readonly drawn: Seen;
  /** Time of the last key press or pointer move, from the event's timestamp (ms). */
  lastInput: number;
  /** The longest task that blocked the page, in milliseconds. */
  longestTask: number;
  /** Text of the awaited table before the input. */
  said: string | null | undefined;
  /** Records a change and the frame that paints it. */
  readonly note: (seen: Seen) => void;
  /** Whether an element lies in the graph, the mesh, the tensor or the cost bar. */
  readonly isDrawnPart: (element: Element) => boolean;
}

/** Times (ms) of the last change and of the frame that painted it. */
interface Seen {
  changed: number;
  painted: number;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/**
 * Installs the probe. This function and the three `watch…` functions run in the page before its own
 * code.
 */
export function installProbe(): void {
  const note = (seen: Seen) => {
    const { changed, painted } = seen;
    seen.changed = performance.now();
    if (changed > painted) return;
    // A message posted in a frame arrives after the frame is painted, before timers set in it.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        seen.painted = performance.now();
      };
      port2.postMessage(undefined);
    });
  };
  const drawnParts = ".canvas, .side, .hud";
  /** Elements that are deliberately drawn one frame later. */
  const laterParts = ".module-times";
  window.probe = {
    any: { changed: 0, painted: 0 },
    drawn: { changed: 0, painted: 0 },
    lastInput: 0,
    longestTask: 0,
    said: undefined,
    note,
    isDrawnPart: (element) =>
      element.closest(drawnParts) !== null && element.closest(laterParts) === null,
  };
}

/** Records changes of visible elements. Editors are left out, since their carets blink. */
export function watchElements(): void {
  const unseen = ".vh, .monaco-host, .cm-editor";
  // The root's `data-ready` attribute is not visible, so its changes do not count.
  const isSeen = (element: Element) =>
    element.closest(unseen) === null && !element.hasAttribute("data-ready");
  /** If children were added or removed, those elements must be visible. */
  const isInSight = ({ target, addedNodes, removedNodes }: MutationRecord) =>
    window.sight.isInSight(target) &&
    (addedNodes.length + removedNodes.length === 0 ||
      [...addedNodes, ...removedNodes].some((node) => window.sight.isInSight(node)));
  // The first change of each kind suffices; examining all records would distort the timing.
  const observer = new MutationObserver((records) => {
    const { probe } = window;
    let isNoted = false;
    for (const record of records) {
      const { target } = record;
      const element = target instanceof Element ? target : target.parentElement;
      if (element === null || !isSeen(element) || !isInSight(record)) continue;
      if (!isNoted) probe.note(probe.any);
      isNoted = true;
      if (!probe.isDrawnPart(element)) continue;
      probe.note(probe.drawn);
      return;
    }
  });
  observer.observe(document, {
    attributes: true,
    attributeFilter: ["class", "style", "d", "transform", "hidden", "aria-selected", "data-lit"],
    childList: true,
    characterData: true,
    subtree: true,
  });
}

/** Records painting on canvases. */
export function watchDrawing(): void {
  const drawing = CanvasRenderingContext2D.prototype;
  for (const name of ["clearRect", "fillRect", "stroke", "fill", "drawImage"] as const) {
    const original: unknown = Reflect.get(drawing, name);
    if (typeof original !== "function") continue;
    Reflect.set(drawing, name, function drawn(this: unknown, ...args: readonly unknown[]) {
      const { probe } = window;
      probe.note(probe.any);
      // Editors paint their rulers on canvases too.
      const isDrawn = this instanceof CanvasRenderingContext2D && probe.isDrawnPart(this.canvas);
      if (isDrawn) probe.note(probe.drawn);
      return Reflect.apply(original, this, args);
    });
  }
}

/** Records key presses, pointer moves and long tasks. */
export function watchInput(): void {
  for (const kind of ["keydown", "pointermove"] as const) {
    const begin = ({ timeStamp }: Event) => {
      window.probe.lastInput = timeStamp;
    };
    document.addEventListener(kind, begin, { capture: true });
  }
  new PerformanceObserver((list) => {
    const { probe } = window;
    for (const { duration } of list.getEntries()) {
      probe.longestTask = Math.max(probe.longestTask, duration);
    }
  }).observe({ type: "longtask", buffered: true });
}

interface Awaited {
  /** Milliseconds without a change after which the page counts as settled. */
  readonly quietMs: number;
  /** The table whose text must change; if given, only drawn parts are awaited. */
  readonly table?: string;
}

/** Prepares the probe in the page, before the timed input. */
export function awaitInput(table?: string): void {
  window.probe.lastInput = 0;
  const pane = document.querySelector(".canvas-body")?.getBoundingClientRect();
  if (pane !== undefined) window.sight.pane = pane;
  const edge = document.querySelector(".side")?.getBoundingClientRect().bottom ?? innerHeight;
  window.sight.below = [...document.querySelectorAll(".side .scroll")].filter(
    (box) => box.getBoundingClientRect().top >= edge,
  );
  window.probe.said = document.querySelector(`[data-testid="${table}"]`)?.textContent;
}

/**
 * Milliseconds from the next input until the frame with its last change is painted. Runs in the
 * page, after `awaitInput`.
 */
export async function settledAfterInput({ quietMs, table }: Awaited): Promise<number> {
  const { probe } = window;
  const seen = table === undefined ? probe.any : probe.drawn;
  const started = performance.now();
  const isDone = () => {
    const { lastInput, said } = probe;
    const isShown = seen.changed > lastInput && seen.painted > seen.changed;
    const isQuiet = performance.now() - Math.max(seen.changed, lastInput) > quietMs;
    const isOther = () => document.querySelector(`[data-testid="${table}"]`)?.textContent !== said;
    return lastInput > 0 && isShown && isQuiet && (table === undefined || isOther());
  };
  while (!isDone() && performance.now() - started < 20_000) {
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return seen.painted - probe.lastInput;
}

/** Gaps between animation frames (ms) over a period of `milliseconds`. Runs in the page. */
export function frameGaps(milliseconds: number): Promise<number[]> {
  return new Promise((resolve) => {
    const gaps: number[] = [];
    const started = performance.now();
    let last = started;
    const next = (now: number) => {
      if (gaps.length > 0 || now > started) gaps.push(now - last);
      last = now;
      if (now - started < milliseconds) requestAnimationFrame(next);
      else resolve(gaps);
    };
    requestAnimationFrame(next);
  });
}
