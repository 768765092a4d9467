/** The browser's information about the surrounding page. */
interface Around {
  readonly ancestorOrigins: readonly string[];
  readonly referrer: string;
}

/**
 * The origin of the surrounding page with which messages are exchanged: the one in the link (`*`
 * for any), else the one that the browser reports. `undefined` if it is unknown or opaque, as for a
 * file or a sandbox: these need `parent=*`.
 */
export function hostOrigin(around: Around, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  const [nearest = around.referrer] = around.ancestorOrigins;
  return /^https?:\/\//.test(nearest) && URL.canParse(nearest)
    ? new URL(nearest).origin
    : undefined;
}

/** Messages from the surrounding page. */
export type Heard =
  | { readonly kind: "goto"; readonly step: number; readonly hop?: number }
  | { readonly kind: "text"; readonly text: string };

/** Longest text (characters) accepted from the surrounding page. */
const maxText = 256 * 1024;

/** Parses a message; `undefined` for anything but exactly one of the documented messages. */
export function readMessage(data: unknown): Heard | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { target, kind, step, hop, text } = data as Readonly<Record<string, unknown>>;
  if (target !== "shardboard") return undefined;
  if (kind === "text" && typeof text === "string" && text.length <= maxText) return { kind, text };
  if (kind !== "goto" || !isCount(step) || step < 1) return undefined;
  return { kind, step, ...(isCount(hop) && { hop }) };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1_000_000;
}
