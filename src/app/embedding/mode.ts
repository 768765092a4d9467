/**
 * Mode in which a link opens: as a whole page; inside another page, where the plan is read-only
 * (`embed`) or editable without being stored (`try`); or for an audience (`present`).
 */
export type LinkMode = "whole" | "embed" | "try" | "present";

const modes: readonly LinkMode[] = ["embed", "try", "present"];

/** The part of the plan that an embedded page shows. */
export type EmbeddedView = "graph" | "step" | "tensor" | "mesh" | "run" | "timeline";

const views: readonly EmbeddedView[] = ["graph", "step", "tensor", "mesh", "run", "timeline"];

/** The page options of a link; none of them is part of the plan. */
export interface LinkOptions {
  readonly mode: LinkMode;
  readonly view?: EmbeddedView;
  /**
   * The redistribution that the page opens, counted from 1, and the hop after which it is shown;
   * without `hop` it is shown as one step.
   */
  readonly at?: { readonly step: number; readonly hop?: number };
  readonly theme?: "light" | "dark";
  /** The origin of the surrounding page that may listen and send messages, or `*` for any. */
  readonly parent?: string;
}

/** Segments of a fragment that are page options; all others belong to the plan. */
const optionKeys = /^(?:m|v|at|theme|lang|parent)=/;

/** The options in a fragment or an address; unknown ones are ignored. */
export function optionsOf(link: string): LinkOptions {
  const said = (key: string) => {
    const found = segmentsOf(link).find((segment) => segment.startsWith(`${key}=`));
    return found?.slice(key.length + 1);
  };
  const view = views.find((each) => each === said("v"));
  const at = placeOf(said("at"));
  const theme = said("theme");
  const parent = originOf(said("parent"));
  return {
    mode: modeOf(link),
    ...(view !== undefined && { view }),
    ...(at !== undefined && { at }),
    ...((theme === "light" || theme === "dark") && { theme }),
    ...(parent !== undefined && { parent }),
  };
}

/** The mode that a fragment or an address requests. */
export function modeOf(link: string): LinkMode {
  const segments = segmentsOf(link);
  return modes.find((mode) => segments.includes(`m=${mode}`)) ?? "whole";
}

/** Whether a page of this mode is embedded in another; it then stores nothing. */
export function isInsideMode(mode: LinkMode): boolean {
  return mode === "embed" || mode === "try";
}

/** A fragment or address that opens the plan in a mode, without other options. */
export function inMode(link: string, mode: Exclude<LinkMode, "whole">): string {
  return `${wholeLink(link)}&m=${mode}`;
}

/** A fragment or address that opens the plan embedded. */
export function embeddedLink(link: string): string {
  return modeOf(link) === "embed" ? link : inMode(link, "embed");
}

/** A fragment or address without page options, which opens the plan as a whole page. */
export function wholeLink(link: string): string {
  const hash = link.indexOf("#");
  const kept = segmentsOf(link).filter((segment) => !optionKeys.test(segment));
  return `${link.slice(0, hash + 1)}${kept.join("&")}`;
}

/** Place such as `2` or `2.3`: step, and hop. */
function placeOf(text: string | undefined): LinkOptions["at"] {
  const [, step, hop] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text ?? "") ?? [];
  if (step === undefined || Number(step) < 1) return undefined;
  return { step: Number(step), ...(hop !== undefined && { hop: Number(hop) }) };
}

/** An origin as browsers write it, or `*`; `undefined` for anything else. */
function originOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "*") return text;
  try {
    const { origin } = new URL(decodeURIComponent(text));
    return origin === "null" ? undefined : origin;
  } catch {
    return undefined;
  }
}

function segmentsOf(link: string): readonly string[] {
  const hash = link.indexOf("#");
  return hash < 0 ? [] : link.slice(hash + 1).split("&");
}
