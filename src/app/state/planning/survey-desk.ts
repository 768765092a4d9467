import type { Reply, Search, SurveyProgress, SurveyRequest, SurveyResult } from "#app/engine";
import { idleSurvey } from "./idle-survey.ts";
import type { DeskStore, SurveyDesk, SurveyKind, SurveyStatus } from "./planning.ts";

/** Surveys of the present text, one at a time. */
export function createSurveyDesk(
  search: Search<"survey">,
  store: DeskStore,
): SurveyDesk & { readonly forget: () => void } {
  const { get } = store;
  const change = (kind: SurveyKind, status: Partial<SurveyStatus>) => {
    const { surveys } = get();
    store.set({ surveys: { ...surveys, [kind]: { ...statusOf(kind), ...status } } });
  };
  const statusOf = (kind: SurveyKind) => get().surveys[kind] ?? idleSurvey;
  const end = (note?: string) => {
    search.stop();
    for (const kind of ["meshes", "limits"] as const) {
      if (statusOf(kind).kind !== "running") continue;
      change(kind, { kind: "done", ...(note !== undefined && { note }) });
    }
  };
  const survey = async (asked: SurveyRequest) => {
    end();
    const { survey: kind, source } = asked;
    change(kind, { ...begun, of: source });
    const reply = await search.begin(asked, (news) => change(kind, withNews(statusOf(kind), news)));
    if (reply.kind === "superseded") return;
    const note = noteOf(reply);
    change(kind, { kind: "done", ...(note !== undefined && { note }) });
    get().say({ kind: "said", text: note ?? endSentence(statusOf(kind)) });
  };
  return {
    surveyMeshes: (devices) => {
      const limit = store.limit();
      const { source } = get().document;
      return survey({
        ...{ survey: "meshes", source, devices },
        ...(limit !== undefined && { memoryLimit: limit }),
      });
    },
    surveyLimits: () => survey({ survey: "limits", source: get().document.source }),
    cancelSurvey: () => end("Stopped before all were planned."),
    forget: () => {
      const { document } = get();
      for (const kind of ["meshes", "limits"] as const) {
        const status = statusOf(kind);
        if (status.of === "" || holds(status, document.source)) continue;
        if (status.kind === "running") search.stop();
        change(kind, { ...begun, kind: "idle", of: "" });
      }
    },
  };
}

const begun = {
  ...{ kind: "running", rows: [], done: 0, total: 0 },
  ...{ own: undefined, note: undefined },
} as const satisfies Partial<SurveyStatus>;

function withNews({ rows }: SurveyStatus, { row, own, done, total }: SurveyProgress) {
  return {
    ...{ done, total },
    ...(own !== undefined && { own }),
    ...(row !== undefined && { rows: [...rows, row] }),
  };
}

/** Whether the survey belongs to a text: the planned one, or one of the found plans. */
function holds({ of, rows }: SurveyStatus, source: string): boolean {
  return (
    source === of ||
    rows.some(({ answer }) => answer.kind === "planned" && answer.source === source)
  );
}

function noteOf(reply: Exclude<Reply<SurveyResult>, { kind: "superseded" }>): string | undefined {
  if (reply.kind === "failed") return `The planner failed: ${reply.message}`;
  return reply.value.kind === "refused" ? reply.value.message : undefined;
}

function endSentence({ rows }: SurveyStatus): string {
  const plans = rows.filter(({ answer }) => answer.kind === "planned").length;
  return `${plans} plans of ${rows.length} are there.`;
}
