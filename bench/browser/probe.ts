/** State of the page under test, kept by `installProbe`. */
interface Probe {
  /** The last change that a person can see: of elements, or of a canvas. */
  readonly any: Seen;
  /** The last visible change of the graph, the mesh, the tensor and the cost bar alone. */
  readonly drawn: Seen;
  /** When a key went down or the pointer moved last, by the event's own clock. */
  lastInput: number;
  /** The longest stretch in which the page answered to nothing, in milliseconds. */
  longestTask: number;
  /** The text of the awaited table before the input. */
  said: string | null | undefined;
  /** Notes a change, and the frame that shows it. */
  readonly note: (seen: Seen) => void;
  /** Whether an element stands in the graph, the mesh, the tensor or the cost bar. */
  readonly isDrawnPart: (element: Element) => boolean;
}

/** The time of the last change, and of the frame that shows it. */
interface Seen {
  changed: number;
  painted: number;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Runs in the page before its own code, as do the three that watch it. */
export function installProbe(): void {
  const note = (seen: Seen) => {
    const { changed, painted } = seen;
    seen.changed = performance.now();
    if (changed > painted) return;
    // A message sent in a frame arrives when it has been painted, before timers that it set off.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        seen.painted = performance.now();
      };
      port2.postMessage(undefined);
    });
  };
  const drawnParts = ".canvas, .side, .hud";
  /** Elements that are drawn a frame later on purpose. */
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

/** Notes changes of elements in sight. Editors blink on their own, so they are left out. */
export function watchElements(): void {
  const unseen = ".vh, .monaco-host, .cm-editor";
  // The root's mark of a working page is not visible, so its changes do not count.
  const isSeen = (element: Element) =>
    element.closest(unseen) === null && !element.hasAttribute("data-ready");
  /** For a list that grew or shrank, the added and removed elements count. */
  const isInSight = ({ target, addedNodes, removedNodes }: MutationRecord) =>
    window.sight.isInSight(target) &&
    (addedNodes.length + removedNodes.length === 0 ||
      [...addedNodes, ...removedNodes].some((node) => window.sight.isInSight(node)));
  // The first change of each kind tells enough: looking at all of them would be timed as well.
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

/** Notes what is painted on a canvas. */
export function watchDrawing(): void {
  const drawing = CanvasRenderingContext2D.prototype;
  for (const name of ["clearRect", "fillRect", "stroke", "fill", "drawImage"] as const) {
    const original: unknown = Reflect.get(drawing, name);
    if (typeof original !== "function") continue;
    Reflect.set(drawing, name, function drawn(this: unknown, ...args: readonly unknown[]) {
      const { probe } = window;
      probe.note(probe.any);
      // An editor paints its rulers on a canvas of its own.
      const isDrawn = this instanceof CanvasRenderingContext2D && probe.isDrawnPart(this.canvas);
      if (isDrawn) probe.note(probe.drawn);
      return Reflect.apply(original, this, args);
    });
  }
}

/** Notes when a key went down or the pointer moved, and how long the page answered to nothing. */
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
  /** Milliseconds without a change after which everything has come. */
  readonly quietMs: number;
  /** The table that must change first, if only drawn elements are awaited. */
  readonly table?: string;
}

/** Runs in the page, before the input that is timed. */
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
 * Runs in the page, after `awaitInput`: the time from the next input until the frame with its last
 * change is painted.
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

/** Runs in the page: gaps between frames for a while. */
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
