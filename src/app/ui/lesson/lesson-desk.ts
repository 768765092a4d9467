import { createContext, useContext, useEffect, useState } from "react";
import type { LessonDesk } from "#app/state";
import { useActions } from "../store-context.tsx";

const Context = createContext<LessonDesk | undefined>(undefined);

/** Gives what leads through lessons to everything below. */
export const LessonDeskProvider = Context.Provider;

/** The lesson controller, for components inside a lesson. */
export function useLessonDesk(): LessonDesk {
  const desk = useContext(Context);
  if (desk === undefined) throw new Error("no LessonDeskProvider above");
  return desk;
}

/** The desk outside of a provider; `undefined` until its code is loaded. */
export function useLateDesk(): LessonDesk | undefined {
  const { lessons } = useActions();
  const [desk, setDesk] = useState<LessonDesk>();
  useEffect(() => {
    let isCurrent = true;
    // The action that opened the lesson has said already that its code could not be loaded.
    lessons().then(
      (loaded) => isCurrent && setDesk(loaded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [lessons]);
  return desk;
}
