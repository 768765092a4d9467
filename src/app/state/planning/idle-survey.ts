import type { SurveyStatus } from "./planning.ts";

/** The status before the first survey. */
export const idleSurvey: SurveyStatus = {
  ...{ kind: "idle", of: "", rows: [], done: 0, total: 0 },
  ...{ own: undefined, note: undefined },
};
