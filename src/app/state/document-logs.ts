import type { ShownText, TextId } from "#app/texts";
import { emptyHistory, type History, record } from "./history.ts";

/** The logs of texts that a page has shown, for when it shows them again. */
interface Logs {
  /** Keeps the log of the text on screen, which another one is about to take the place of. */
  readonly leave: (left: Left) => void;
  /** The log of a text; what was changed elsewhere in the meantime is one step of it. */
  readonly of: (id: TextId, source: string) => History;
}

interface Left {
  readonly shownText: Pick<ShownText, "id">;
  readonly document: { readonly source: string };
  readonly history: History;
}

/** Texts whose logs are kept; those that were left longest ago are forgotten. */
const limit = 20;

export function createLogs(): Logs {
  const kept = new Map<TextId, Pick<Left, "document" | "history">>();
  return {
    leave: ({ shownText: { id }, document, history }) => {
      kept.delete(id);
      kept.set(id, { document, history });
      const [oldest] = kept.keys();
      if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
    },
    of: (id, source) => {
      const log = kept.get(id);
      if (log === undefined) return emptyHistory;
      const { history, document } = log;
      if (document.source === source) return history;
      return record(history, document.source, "Change elsewhere");
    },
  };
}
