import { useCallback, useEffect, useRef, useState } from "react";
import type { Frame } from "#app/scene/player";
import { drawn } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";
import type { PlayerPhase } from "./use-player.ts";

/** Progress of a frame's pieces along their paths. */
export interface Travel {
  /** Share of the path, from 0 (start) to 1. */
  readonly share: number;
  /** Sets the share by hand and stops the animation. */
  readonly scrub: (share: number) => void;
}

/** Duration of the animation in milliseconds. */
const travelFor = 640;

/**
 * Share of the path at which pieces rest before the user plays anything: visible, and clear of the
 * texts at both ends.
 */
const onTheWay = 0.25;

/**
 * Animates the pieces of a frame when the player or a press reaches the moving still. With reduced
 * motion, and before any press, they rest on the path; an edit moves nothing.
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

/** Quadratic ease-in and ease-out. */
function eased(done: number): number {
  return done < 0.5 ? 2 * done * done : 1 - 2 * (1 - done) ** 2;
}
