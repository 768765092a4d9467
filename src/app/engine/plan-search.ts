import { assumedPlatform, type Platform } from "#core/cost/machines";
import { capitalized, hasErrors } from "#core/diagnostics";
import {
  planDocument,
  planQuestion,
  sizeChoices,
  unpricedPart,
  withLinkSpeed,
  withSizes,
} from "#edit";
import type { Document } from "#language/document";
import { joinTexts, splitTexts, type TwoTexts } from "#language/texts";
import type { PlannerMemory } from "#planner";
import { type PlanWork, planOrLeanest, takenBy } from "./plan-of.ts";
import type { PlanAnswer, PlanAsked, PlanProgress } from "./plan-protocol.ts";
import { shortageOf } from "./plan-shortage.ts";

/** Text opened for planning. */
export interface OpenText {
  readonly document: Document;
  /** Parses another text as a document of the same kind, optionally with another platform. */
  readonly read: (source: string, platform?: Platform) => Document;
  /** Whole source with another document text in place of its own. */
  readonly whole: (source: string) => string;
  /** Document text inside a whole source. */
  readonly own: (whole: string) => string;
}

/**
 * Searches for the fastest plan of a text; `hear` receives the stages and the plans found on the
 * way.
 */
export function searchPlan(
  asked: PlanAsked,
  hear: (news: PlanProgress) => void,
  memory?: PlannerMemory,
): PlanAnswer {
  hear({ kind: "stage", stage: "reading" });
  const { memoryLimit, whatIf = {} } = asked;
  const opened = openText(asked.source);
  if (typeof opened === "string") return { kind: "refused", message: opened };
  const sizes = sizeChoices(opened.document);
  const tried = tryValues(opened, whatIf);
  if (typeof tried === "string") return { kind: "refused", message: tried };
  const { document, named } = tried;
  const whole = (answer: PlanAnswer) => wholeAnswer(opened, answer);
  const before = takenBy(document).seconds;
  const work: PlanWork = {
    ...{ document, before, memoryLimit, sizes, memory },
    since: planQuestion(document, { freesPlaces: false }),
    freesPlaces: freesPlaces(whatIf),
    ...(named && { named }),
  };
  const { answer, leanest } = planOrLeanest(work, (news) => {
    const planned = news.kind === "found" ? whole(news.planned) : undefined;
    hear(planned?.kind === "planned" ? { kind: "found", planned } : news);
  });
  if (answer.kind !== "infeasible" || leanest === undefined) return whole(answer);
  hear({ kind: "short", answer });
  return { ...answer, shortage: shortageOf(work, leanest) };
}

/** Whether inputs and parameters may leave the layouts that `place` sets. */
export function freesPlaces({ free = [] }: NonNullable<PlanAsked["whatIf"]> = {}): boolean {
  return free.includes("placements");
}

/** Opens a text for planning, or gives the reason why there is nothing to plan. */
export function openText(source: string): OpenText | string {
  const texts = splitTexts(source);
  const read = (own: string, platform?: Platform) => {
    const options = { ...(texts && { planText: own }), ...(platform && { platform }) };
    return planDocument(texts?.json ?? own, options);
  };
  const document = read(texts?.plan ?? source);
  const whole = (own: string) => wholeText(source, texts, document, own);
  const own = (text: string) => (texts === undefined ? text : (splitTexts(text)?.plan ?? ""));
  return faultOf(document) ?? { document, read, whole, own };
}

function wholeText(
  source: string,
  texts: TwoTexts | undefined,
  document: Document,
  own: string,
): string {
  if (own === document.source) return source;
  return texts === undefined ? own : joinTexts(texts.json, own);
}

/** Answer with the plan's text embedded in the whole source. */
export function wholeAnswer({ whole }: OpenText, answer: PlanAnswer): PlanAnswer {
  if (answer.kind !== "planned" || answer.source === undefined) return answer;
  return { ...answer, source: whole(answer.source) };
}

/** Reason why there is nothing to plan; `undefined` if there is none. */
function faultOf(document: Document): string | undefined {
  if (hasErrors(document.diagnostics)) return "The text has errors: a plan is for a text without.";
  if (document.graph.operators.length === 0) return "There is no operator to plan.";
  const { axes } = document.mesh.mesh;
  if (axes.every(({ size }) => size < 2)) {
    return "The mesh has one device, so there is nothing to split.";
  }
  const unpriced = unpricedPart(document);
  return unpriced && `${capitalized(unpriced)}.`;
}

/**
 * Document with the changed values. If its hardware changes, `named` is the document on its own
 * machine. A string is the reason why the values are invalid.
 */
export function tryValues(
  { document, read }: OpenText,
  { bandwidth = 1, sizes = {} }: NonNullable<PlanAsked["whatIf"]>,
): { readonly document: Document; readonly named?: Document } | string {
  const source = withSizes(document, sizes);
  const sized = source === undefined ? undefined : document.reread(source);
  const fault = sized?.diagnostics.find(({ severity }) => severity === "error");
  if (sized === undefined || fault !== undefined) {
    return `The text does not work with these sizes${fault ? `: ${fault.message}` : ""}.`;
  }
  if (bandwidth === 1) return { document: sized };
  const linked = withLinkSpeed(sized, bandwidth);
  if (linked !== undefined) return { document: linked };
  const platform = fasterLinks(sized.mesh.platform ?? assumedPlatform, bandwidth);
  return { document: read(sized.source, platform), named: sized };
}

/** A platform with `times` the bandwidth on every link. */
function fasterLinks({ hardware, link }: Platform, times: number): Platform {
  const faster = { ...hardware.link, bandwidth: times * hardware.link.bandwidth };
  return {
    hardware: { ...hardware, link: faster },
    link: (mesh) => {
      const linked = link(mesh);
      const axes = linked.axes.map((axis) => ({
        ...axis,
        link: axis.link ? { ...axis.link, bandwidth: times * axis.link.bandwidth } : faster,
      }));
      return { ...linked, axes };
    },
  };
}
