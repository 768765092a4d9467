/** Whether a media query matches; all subscribers see a change at the same time. */
export interface MediaAnswer {
  readonly answer: () => boolean;
  /** Subscribes to changes; returns the function that unsubscribes. */
  readonly listen: (changed: () => void) => () => void;
}

/**
 * Media query with one listener for the whole page. The answer changes only with the `change`
 * event, so that all components render with the same one.
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
