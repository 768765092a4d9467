import type { SurveyStatus } from "./planning.ts";

/** Nothing was surveyed yet. */
export const noSurvey: SurveyStatus = {
  ...{ kind: "idle", of: "", rows: [], done: 0, total: 0 },
  ...{ own: undefined, note: undefined },
};
