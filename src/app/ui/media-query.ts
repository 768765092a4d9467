/** Whether a media query matches; all callers get the same answer at one moment. */
export interface MediaAnswer {
  readonly answer: () => boolean;
  /** Calls `changed` after each change; returns a function that stops that. */
  readonly listen: (changed: () => void) => () => void;
}

/**
 * A media query with one listener for the whole page. Its answer changes only with the event, so
 * that all parts of the page are drawn by the same answer.
 */
export function createMediaAnswer(query: string): MediaAnswer {
  const listeners = new Set<() => void>();
  let list: MediaQueryList | undefined;
  let matches = false;
  const tell = (event: MediaQueryListEvent) => {
    matches = event.matches;
    for (const changed of [...listeners]) changed();
  };
  return {
    answer: () => (list === undefined ? matchMedia(query).matches : matches),
    listen: (changed) => {
      if (list === undefined) {
        list = matchMedia(query);
        ({ matches } = list);
        list.addEventListener("change", tell);
      }
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        list?.removeEventListener("change", tell);
        list = undefined;
      };
    },
  };
}
