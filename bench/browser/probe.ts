/** What the page under test tells of itself; `installProbe` puts it there. */
interface Probe {
  /** When something that a person can see last changed: elements, or what a canvas shows. */
  lastChange: number;
  /** The same of the graph, the mesh, the tensor and the cost bar alone. */
  lastDrawn: number;
  /** When a key went down or the pointer moved last, by the event's own clock. */
  lastInput: number;
  /** The longest stretch in which the page answered to nothing, in milliseconds. */
  longestTask: number;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Runs in the page before its own code. Editors blink on their own, so they are left out. */
export function installProbe(): void {
  const probe: Probe = { lastChange: 0, lastDrawn: 0, lastInput: 0, longestTask: 0 };
  window.probe = probe;
  const drawnParts = ".canvas, .side, .hud";
  const unseen = ".vh, .monaco-host, .cm-editor, [data-ready]:not(:has(*))";
  const observer = new MutationObserver((records) => {
    const elements = records.flatMap(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement;
      return element?.closest(unseen) === null ? [element] : [];
    });
    if (elements.length > 0) probe.lastChange = performance.now();
    const isDrawn = elements.some((element) => element.closest(drawnParts) !== null);
    if (isDrawn) probe.lastDrawn = performance.now();
  });
  observer.observe(document, {
    attributes: true,
    attributeFilter: ["class", "style", "d", "transform", "hidden", "aria-selected", "data-lit"],
    childList: true,
    characterData: true,
    subtree: true,
  });
  const drawing = CanvasRenderingContext2D.prototype;
  for (const name of ["clearRect", "fillRect", "stroke", "fill", "drawImage"] as const) {
    const original: unknown = Reflect.get(drawing, name);
    if (typeof original !== "function") continue;
    Reflect.set(drawing, name, function drawn(this: unknown, ...args: readonly unknown[]) {
      probe.lastChange = performance.now();
      // An editor paints its rulers on a canvas of its own.
      const isDrawn =
        this instanceof CanvasRenderingContext2D && this.canvas.closest(drawnParts) !== null;
      if (isDrawn) probe.lastDrawn = probe.lastChange;
      return Reflect.apply(original, this, args);
    });
  }
  for (const kind of ["keydown", "pointermove"] as const) {
    const note = ({ timeStamp }: Event) => {
      probe.lastInput = timeStamp;
    };
    document.addEventListener(kind, note, { capture: true });
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      probe.longestTask = Math.max(probe.longestTask, duration);
    }
  }).observe({ type: "longtask", buffered: true });
}

interface Awaited {
  /** Everything has come when nothing has changed for so long. */
  readonly quietMs: number;
  /** Of what is drawn alone, the table that has to say something else before. */
  readonly table?: string;
}

/**
 * Runs in the page: from the input that comes next until the frame after the last change that it
 * brought.
 */
export async function settledAfterInput({ quietMs, table }: Awaited): Promise<number> {
  const { probe } = window;
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const painted = () =>
    new Promise<number>((resolve) => setTimeout(() => resolve(performance.now())));
  const said = () => document.querySelector(`[data-testid="${table}"]`)?.textContent;
  const [before, started] = [said(), performance.now()];
  let [input, shown, seen] = [0, 0, 0];
  for (let now = await frame(); now - started < 20_000; now = await frame()) {
    if (input === 0 && probe.lastInput >= started) input = probe.lastInput;
    if (input === 0) continue;
    const changed = table === undefined ? probe.lastChange : probe.lastDrawn;
    if (changed > Math.max(seen, input)) [shown, seen] = [await painted(), changed];
    const isQuiet = now - Math.max(seen, input) > quietMs;
    if (isQuiet && (table === undefined || said() !== before)) break;
  }
  return shown - input;
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
