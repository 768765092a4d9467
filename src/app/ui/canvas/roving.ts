import { createContext, type KeyboardEvent, useCallback, useContext } from "react";
import { fieldOf } from "#core/records";

/** Tab stop of the canvas, and how to move it. */
export interface Roving {
  readonly current: string | undefined;
  readonly focusOn: (id: string) => void;
  /**
   * Whether a node that has just mounted is to take the focus; the claim is consumed by the call.
   */
  readonly isClaimed: (id: string) => boolean;
}

export const RovingContext = createContext<Roving>({
  current: undefined,
  focusOn: () => {},
  isClaimed: () => false,
});

/** Props that make a node one of many behind the canvas' single tab stop. */
export function useRovingNode(id: string) {
  const { current, focusOn, isClaimed } = useContext(RovingContext);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element !== null && isClaimed(id)) element.focus({ preventScroll: true });
    },
    [id, isClaimed],
  );
  return {
    ref,
    tabIndex: current === id ? 0 : -1,
    "data-node": id,
    onFocus: () => focusOn(id),
  };
}

interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
};

/** Nearest node in the direction of an arrow key; `undefined` if there is none. */
export function neighbourOf(
  nodes: readonly Placed[],
  from: string | undefined,
  event: KeyboardEvent,
): string | undefined {
  const direction = fieldOf(directions, event.key);
  const start = nodes.find(({ id }) => id === from);
  if (direction === undefined || start === undefined) return undefined;
  const [dx, dy] = direction;
  const distances = nodes.flatMap((node) => {
    const x = center(node).x - center(start).x;
    const y = center(node).y - center(start).y;
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy) + Math.abs(y * dx);
    return along > 1 ? [{ id: node.id, distance: along + 2 * across }] : [];
  });
  return distances.sort((a, b) => a.distance - b.distance)[0]?.id;
}

function center({ x, y, width, height }: Placed): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}
