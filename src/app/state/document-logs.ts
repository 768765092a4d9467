import type { ShownText, TextId } from "#app/texts";
import { emptyHistory, type History, record } from "./history.ts";

/** The undo logs of texts shown earlier on this page, for when they are shown again. */
interface Logs {
  /** Keeps the log of the text on screen before another one replaces it. */
  readonly leave: (left: Left) => void;
  /** The log of a text; a change made elsewhere in the meantime becomes one entry. */
  readonly of: (id: TextId, source: string) => History;
}

interface Left {
  readonly shownText: Pick<ShownText, "id">;
  readonly document: { readonly source: string };
  readonly history: History;
}

/** Most texts whose logs are kept; the least recently left ones are dropped. */
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
