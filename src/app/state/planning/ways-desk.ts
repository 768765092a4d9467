import type { Reply, Search, SplitOptionsProgress, SplitOptionsResult } from "#app/engine";
import type { DeskStore, SplitOptionsStatus, WaysDesk } from "./planning.ts";

/** The ways to split one operator of the present text, one search at a time. */
export function createWaysDesk(
  search: Search<"ways">,
  store: DeskStore,
): WaysDesk & { readonly forget: () => void } {
  const { get, set } = store;
  const change = (status: Partial<SplitOptionsStatus>) => {
    const { ways } = get();
    if (ways !== undefined) set({ ways: { ...ways, ...status } });
  };
  const end = (note?: string) => {
    search.stop();
    if (get().ways?.kind === "running")
      change({ kind: "done", ...(note !== undefined && { note }) });
  };
  return {
    weighWays: async (operator) => {
      end();
      const { document, whatIf } = get();
      const { source } = document;
      const limit = store.limit();
      set({ ways: { ...begun, of: source, whatIf, operator } });
      const asked = {
        source,
        operator,
        whatIf,
        ...(limit !== undefined && { memoryLimit: limit }),
      };
      const reply = await search.begin(asked, (news) => change(withNews(get().ways, news)));
      if (reply.kind === "superseded") return;
      change({ kind: "done", ...endOf(reply) });
      const { ways } = get();
      get().say({ kind: "said", text: ways?.note ?? endSentence(ways) });
    },
    cancelWays: () => end("Stopped before all were planned."),
    forget: () => {
      const { ways, document } = get();
      if (ways === undefined || holds(ways, document.source)) return;
      search.stop();
      set({ ways: undefined });
    },
  };
}

const begun = {
  ...{ kind: "running", ways: [], unavailable: [], done: 0, total: 0 },
} as const satisfies Partial<SplitOptionsStatus>;

function withNews(
  status: SplitOptionsStatus | undefined,
  { way, done, total }: SplitOptionsProgress,
) {
  const ways = status?.ways ?? [];
  return { done, total, ...(way !== undefined && { ways: [...ways, way] }) };
}

/** Whether the ways belong to a text: the planned one, or one of the found plans. */
function holds({ of, ways }: SplitOptionsStatus, source: string): boolean {
  return (
    source === of ||
    ways.some(({ answer }) => answer.kind === "planned" && answer.source === source)
  );
}

function endOf(
  reply: Exclude<Reply<SplitOptionsResult>, { kind: "superseded" }>,
): Partial<SplitOptionsStatus> {
  if (reply.kind === "failed") return { note: `The planner failed: ${reply.message}` };
  const { value } = reply;
  return value.kind === "refused" ? { note: value.message } : { unavailable: value.unavailable };
}

function endSentence(ways: SplitOptionsStatus | undefined): string {
  const all = ways?.ways ?? [];
  const plans = all.filter(({ answer }) => answer.kind === "planned").length;
  return `${plans} of ${all.length} ways to split ${ways?.operator ?? ""} have a plan.`;
}
