import type { PartsProgress, PartsResult, Reply, Search } from "#app/engine";
import type { DeskStore, PartsDesk, PartsStatus } from "./planning.ts";

/** The parts of one plan at a time, with the parts left out of it. */
export function createPartsDesk(
  search: Search<"parts">,
  store: DeskStore,
): PartsDesk & { readonly forget: () => void } {
  const { get, set } = store;
  const change = (status: Partial<PartsStatus>) => {
    const { parts } = get();
    if (parts !== undefined) set({ parts: { ...parts, ...status } });
  };
  return {
    weighParts: async ({ of, planned, whole = planned.source, whatIf }, left) => {
      search.stop();
      if (whole === undefined || whole === of) return set({ parts: undefined });
      const known = get().parts;
      const isSame = known?.of === of && known.whole === whole;
      set({
        parts: {
          ...{ kind: "running", of, whole, whatIf, left },
          ...{ parts: isSame ? known.parts : [], effects: new Map() },
        },
      });
      const asked = { source: of, planned: whole, whatIf, left: [...left] };
      const reply = await search.begin(asked, (news) => change(withNews(get().parts, news)));
      if (reply.kind !== "superseded") change({ kind: "done", ...endOf(reply) });
    },
    forget: () => {
      const { parts, document } = get();
      if (parts === undefined || holds(parts, document.source)) return;
      search.stop();
      set({ parts: undefined });
    },
  };
}

function withNews(status: PartsStatus | undefined, news: PartsProgress): Partial<PartsStatus> {
  if (news.kind === "parts") return { parts: news.parts };
  if (news.kind === "mixed") return { mixed: news.mixed };
  return { effects: new Map([...(status?.effects ?? []), [news.key, news.effect]]) };
}

/** Whether the status belongs to a text: the original, the whole plan, or the plan in part. */
function holds({ of, whole, mixed }: PartsStatus, source: string): boolean {
  return source === of || source === whole || source === mixed?.source;
}

function endOf(reply: Exclude<Reply<PartsResult>, { kind: "superseded" }>): Partial<PartsStatus> {
  if (reply.kind === "failed") return { note: `The planner failed: ${reply.message}` };
  return reply.value.kind === "refused" ? { note: reply.value.message } : {};
}
