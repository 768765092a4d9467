import { useCallback, useEffect, useRef, useState } from "react";
import type { Frame } from "#app/scene/player";
import { drawn } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";
import type { PlayerPhase } from "./use-player.ts";

/** The position of a frame's pieces on their ways. */
export interface Travel {
  /** The share of the way, from 0 at the start to 1. */
  readonly share: number;
  /** Puts the pieces at a position by hand, and stops their motion. */
  readonly scrub: (share: number) => void;
}

/** Milliseconds of a whole way. */
const travelFor = 640;

/**
 * The position of pieces that nobody has moved yet: in sight, and clear of the words at both ends.
 */
const onTheWay = 0.25;

/**
 * Moves the pieces of a frame from device to device when a press or the player reaches the moving
 * still. With reduced motion, and before any press, they stay on the way; an edit moves nothing.
 */
export function useTravel(frame: Frame | undefined, phase: PlayerPhase): Travel {
  const [share, setShare] = useState(onTheWay);
  const plan = useApp(drawn);
  const seen = useRef<Compiled | undefined>(undefined);
  const running = useRef<number | undefined>(undefined);
  const stop = useCallback(() => {
    if (running.current !== undefined) cancelAnimationFrame(running.current);
    running.current = undefined;
  }, []);
  useEffect(() => {
    const isNewPlan = seen.current !== plan;
    seen.current = plan;
    if (frame === undefined || phase !== "move" || isNewPlan) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      setShare(onTheWay);
      return;
    }
    let start: number | undefined;
    const tick = (now: number) => {
      start ??= now;
      const done = Math.min(1, (now - start) / travelFor);
      setShare(eased(done));
      running.current = done < 1 ? requestAnimationFrame(tick) : undefined;
    };
    setShare(0);
    running.current = requestAnimationFrame(tick);
    return stop;
  }, [frame, phase, plan, stop]);
  const scrub = useCallback(
    (to: number) => {
      stop();
      setShare(to);
    },
    [stop],
  );
  return { share, scrub };
}

/** Eases in and out. */
function eased(done: number): number {
  return done < 0.5 ? 2 * done * done : 1 - 2 * (1 - done) ** 2;
}
