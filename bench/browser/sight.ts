interface Pane {
  readonly width: number;
  readonly height: number;
}

/** State of the canvas of the page under test, kept by `installSight`. */
interface Sight {
  /** Size of the canvas, read outside timed sections; until then everything counts as visible. */
  pane: Pane;
  /** Panel elements scrolled out of sight, found outside timed sections. */
  below: readonly Element[];
  /**
   * Whether a change of a node is visible: boxes and lines may be outside the canvas, and tables
   * outside their panel's view.
   */
  readonly isInSight: (node: Node) => boolean;
}

declare global {
  interface Window {
    sight: Sight;
  }
}

/**
 * Runs in the page before its own code. Positions are read from attributes, so that no layout is
 * forced.
 */
export function installSight(): void {
  interface Area {
    readonly from: readonly [number, number];
    readonly to: readonly [number, number];
  }
  const boxOf = ({ style }: HTMLElement): Area => {
    const { e, f } = new DOMMatrix(style.transform);
    return {
      from: [e, f],
      to: [e + Number.parseFloat(style.width), f + Number.parseFloat(style.height)],
    };
  };
  /** Bounding box of a line; all coordinates of its path are absolute, x before y. */
  const lineOf = (path: Element): Area => {
    const numbers = (path.getAttribute("d")?.match(/-?[\d.]+/g) ?? []).map(Number);
    const [xs, ys] = [0, 1].map((rest) => numbers.filter((_, at) => at % 2 === rest));
    const [across, down] = [xs ?? [], ys ?? []];
    return {
      from: [Math.min(...across), Math.min(...down)],
      to: [Math.max(...across), Math.max(...down)],
    };
  };
  const areaOf = (element: Element | null): Area | undefined => {
    const part = element?.closest(".box, .edges > path") ?? null;
    if (part instanceof HTMLElement) return boxOf(part);
    return part === null ? undefined : lineOf(part);
  };
  const isInSight = (node: Node): boolean => {
    if (window.sight.below.some((box) => box.contains(node))) return false;
    const area = areaOf(node instanceof Element ? node : node.parentElement);
    const pane = document.querySelector<HTMLElement>(".react-flow__viewport");
    if (area === undefined || pane === null || window.sight.pane.width === 0) return true;
    const { a: zoom, e: x, f: y } = new DOMMatrix(pane.style.transform);
    const { width, height } = window.sight.pane;
    const isAcross = area.from[0] * zoom + x < width && area.to[0] * zoom + x > 0;
    return isAcross && area.from[1] * zoom + y < height && area.to[1] * zoom + y > 0;
  };
  window.sight = { pane: { width: 0, height: 0 }, below: [], isInSight };
}
