import { deflateSync } from "fflate";
import { fieldOf, isRecord } from "#core/records";
import { fromBase64Url, inflateWithin, toBase64Url } from "./bytes.ts";
import { cleanDocument, maxTextBytes, type SharedDocument } from "./document.ts";
import { type Refused, refused, spaced } from "./refusal.ts";

/** Version of the body that this program writes and reads. */
export const bodyVersion = 1;

/** Most bytes to which a body may inflate. */
const maxBodyBytes = 1024 * 1024;
const maxNesting = 32;
const fieldNames = ["plan", "name", "base"] as const;
const dangerousKeys = new Set(["__proto__", "constructor", "prototype"]);

/** A document read from a body, and the unknown keys of the body. */
export interface BodyContent {
  readonly kind: "content";
  readonly document: SharedDocument;
  readonly dropped: readonly string[];
}

/**
 * Encodes a document as canonical JSON, raw deflate at level 9, base64url; equal documents give
 * equal texts.
 */
export function writeBody(document: SharedDocument): string {
  const { text, plan, name, base } = cleanDocument(document);
  const json = JSON.stringify({
    v: bodyVersion,
    ...(text !== "" && { text }),
    ...(plan !== undefined && { plan }),
    ...(name !== undefined && { name }),
    ...(base !== undefined && { base }),
  });
  return toBase64Url(deflateSync(new TextEncoder().encode(json), { level: 9 }));
}

/** Reads an untrusted body: every bound is checked before the next step. */
export function readBody(body: string): BodyContent | Refused {
  const deflated = fromBase64Url(body);
  if (deflated === undefined) return broken("its characters are not those of a link");
  const inflated = inflateWithin(deflated, maxBodyBytes);
  if (inflated.kind === "too-large") {
    return refused("too-large", `the link unpacks to more than ${spaced(maxBodyBytes)} bytes`);
  }
  if (inflated.kind === "broken") return broken("it cannot be unpacked");
  const json = decodedText(inflated.bytes);
  if (json === undefined) return broken("its content is not a text");
  if (nestingOf(json) > maxNesting) return broken("its content is nested too deeply");
  const value = parsedJson(json);
  return value === undefined ? broken("its content cannot be read") : contentOf(value);
}

function contentOf(value: unknown): BodyContent | Refused {
  if (!isRecord(value) || hasDangerousKey(value)) return broken("its content is not a document");
  const { v, text = "" } = value;
  if (typeof v !== "number" || !Number.isInteger(v) || v < 1) return broken("it has no version");
  if (v > bodyVersion) {
    return refused("newer", `the link was made by a newer version (${v}; this one reads 1)`);
  }
  const fields = fieldNames.filter((name) => value[name] !== undefined);
  if (typeof text !== "string" || fields.some((name) => typeof value[name] !== "string")) {
    return broken("its content is not a document");
  }
  const strings = Object.fromEntries(fields.map((name) => [name, String(value[name])]));
  const document = cleanDocument({ text, ...strings });
  const large = [document.text, document.plan ?? "", document.base ?? ""].find(isTooLong);
  if (large !== undefined) {
    return refused("too-large", `its text is longer than ${spaced(maxTextBytes)} bytes`);
  }
  const known = new Set<string>(["v", "text", ...fieldNames]);
  const dropped = Object.keys(value).filter((key) => !known.has(key));
  return { kind: "content", document, dropped };
}

/** Whether a text is longer than a link may carry. */
export function isTooLong(text: string): boolean {
  return text.length > maxTextBytes || new TextEncoder().encode(text).length > maxTextBytes;
}

function broken(reason: string): Refused {
  return refused("damaged", `the link is damaged: ${reason}`);
}

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The deepest nesting of brackets outside strings. */
function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (inString && character === "\\") at++;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === "{" || character === "[")) depth++;
    else if (!inString && (character === "}" || character === "]")) depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function hasDangerousKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDangerousKey);
  if (!isRecord(value)) return false;
  return Object.keys(value).some(
    (key) => dangerousKeys.has(key) || hasDangerousKey(fieldOf(value, key)),
  );
}
