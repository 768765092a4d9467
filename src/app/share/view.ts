/** A fault to inject into a run, by its kind and place. */
export interface LinkFault {
  readonly how: string;
  /**
   * Index of the fault's step among all steps, and the collective there; absent for a wrongly
   * sharded tensor.
   */
  readonly step?: number;
  readonly collective?: string;
  readonly tensor: string;
}

/** The view at the time the link was made; a hint, never part of the plan. */
export interface LinkView {
  readonly tensor?: string;
  readonly device?: number;
  readonly step?: number;
  /** Index of the redistribution's still, from 0: three stills per frame. */
  readonly still?: number;
  /** Whether the redistribution is shown hop by hop. */
  readonly hops?: "ring";
  /** Index of the shown operator among all steps of the program. */
  readonly place?: number;
  readonly panel?: string;
  /** `forward`: only the forward program of a training step is drawn. */
  readonly lanes?: "forward";
  /** The drawing of the plan, if the reader chose it. */
  readonly drawing?: "rows" | "graph";
  /** Zoom in percent, if the reader has zoomed. */
  readonly zoom?: number;
  /** The fault to inject into a run. */
  readonly fault?: LinkFault;
}

/**
 * The value of the segment `s`: `t:w2,d:3`, with percent-encoded names; empty for an empty view.
 */
export function printView(view: LinkView): string {
  const entries = [
    ["t", view.tensor],
    ["d", view.device],
    ["n", view.step],
    ["k", view.still],
    ["h", view.hops],
    ["o", view.place],
    ["p", view.panel],
    ["l", view.lanes],
    ["g", view.drawing],
    ["z", view.zoom],
    ["f", view.fault && printFault(view.fault)],
  ] as const;
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}:${encodeURIComponent(String(value))}`)
    .join(",");
}

/** A fault as text: `drop.3.all-reduce.y`, or `cut.w`. */
function printFault({ how, step, collective, tensor }: LinkFault): string {
  return [how, ...(step === undefined ? [] : [step, collective ?? ""]), tensor].join(".");
}

function faultOf(text: string | undefined): LinkFault | undefined {
  const [, how = "", step, collective, tensor = ""] =
    /^([a-z]{1,16})\.(?:(\d{1,9})\.([a-z-]{1,32})\.)?(.+)$/.exec(text ?? "") ?? [];
  if (nameOf(tensor) === undefined) return undefined;
  if (step === undefined || collective === undefined) return { how, tensor };
  return { how, step: Number(step), collective, tensor };
}

/** Parses a view; unknown or damaged parts are dropped. */
export function parseView(text: string): LinkView {
  const fields = new Map(
    text.split(",").map((entry) => {
      const [key = "", value = ""] = entry.split(":");
      return [key, decoded(value)] as const;
    }),
  );
  const tensor = nameOf(fields.get("t"));
  const device = countOf(fields.get("d"));
  const step = countOf(fields.get("n"));
  const still = countOf(fields.get("k"));
  const place = countOf(fields.get("o"));
  const panel = nameOf(fields.get("p"));
  const drawing = fields.get("g");
  const zoom = countOf(fields.get("z"));
  const fault = faultOf(fields.get("f"));
  return {
    ...(tensor !== undefined && { tensor }),
    ...(device !== undefined && { device }),
    ...(step !== undefined && { step }),
    ...(still !== undefined && { still }),
    ...(fields.get("h") === "ring" && { hops: "ring" }),
    ...(place !== undefined && { place }),
    ...(panel !== undefined && { panel }),
    ...(fields.get("l") === "forward" && { lanes: "forward" }),
    ...((drawing === "rows" || drawing === "graph") && { drawing }),
    ...(zoom !== undefined && zoom >= 1 && zoom <= 200 && { zoom }),
    ...(fault !== undefined && { fault }),
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a lone percent sign after truncation
  }
}

function nameOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[\p{L}_][\p{L}\p{N}_.[\]#-]{0,63}$/u.test(text) ? text : undefined;
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
