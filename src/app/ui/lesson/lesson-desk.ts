import { createContext, useContext, useEffect, useState } from "react";
import type { LessonDesk } from "#app/state";
import { useActions } from "../store-context.tsx";

const Context = createContext<LessonDesk | undefined>(undefined);

/** Provides the lesson desk, which navigates and stores lessons, to everything below. */
export const LessonDeskProvider = Context.Provider;

/** Lesson desk, inside a provider. */
export function useLessonDesk(): LessonDesk {
  const desk = useContext(Context);
  if (desk === undefined) throw new Error("no LessonDeskProvider above");
  return desk;
}

/** Lesson desk outside a provider; `undefined` until its code is loaded. */
export function useLateDesk(): LessonDesk | undefined {
  const { lessons } = useActions();
  const [desk, setDesk] = useState<LessonDesk>();
  useEffect(() => {
    let isCurrent = true;
    // A failed load was reported when the lesson was opened.
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
