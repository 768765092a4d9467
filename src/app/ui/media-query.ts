/** Whether a media query matches, told to all who ask at one moment. */
export interface MediaAnswer {
  readonly answer: () => boolean;
  /** Calls `changed` after each change; returns what ends that. */
  readonly listen: (changed: () => void) => () => void;
}

/**
 * A media query that is listened to once for the whole page. While somebody listens its answer
 * changes with its event and not before, so that no part of the page is drawn by an answer that the
 * others do not have yet.
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
