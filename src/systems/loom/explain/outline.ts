import type { Span } from "#core/diagnostics";
import type { Box } from "#core/indexspace";
import { type JsonToken, type OpenJson, scanJson } from "#language/tokens";

/** Facts of a node as written in the text, whether or not the whole text can be read. */
export interface OutlinedNode {
  readonly id: string;
  /** Last word of its type: `Tensor`. */
  readonly kind: string;
  readonly label?: string;
  readonly dtype?: string;
  readonly kernel?: string;
  readonly range?: Box;
  /** Span of its label, else of its id. */
  readonly span: Span;
}

/** The nodes of a text, in its order. */
export function outlineOf(text: string): readonly OutlinedNode[] {
  const nodes: OutlinedNode[] = [];
  let draft = emptyDraft();
  scanJson(text, {
    enter: (open) => {
      if (isNode(open)) draft = emptyDraft();
      return undefined;
    },
    token: (token, open) => {
      if (open[1]?.key !== undefined && open[0]?.key === "nodes") note(draft, text, token, open);
      return undefined;
    },
    leave: (open) => {
      if (isNode(open)) nodes.push(...nodeOf(draft, open.at(-1)));
      return undefined;
    },
  });
  return nodes;
}

/**
 * Title of a node for a reader: its label (`t0`), else its kernel, else the first 8 characters of
 * its id.
 */
export function nodeTitle({ label, kernel, id }: OutlinedNode): string {
  return label ?? kernel ?? id.slice(0, 8);
}

interface Draft {
  readonly spans: Map<string, Span>;
  readonly bodyTexts: Map<string, string>;
  readonly starts: number[];
  readonly ends: number[];
}

function emptyDraft(): Draft {
  return { spans: new Map(), bodyTexts: new Map(), starts: [], ends: [] };
}

function isNode(open: readonly OpenJson[]): boolean {
  return open.length === 3 && open[0]?.key === "nodes" && open[2]?.kind === "object";
}

function note(draft: Draft, text: string, token: JsonToken, open: readonly OpenJson[]): void {
  const { kind, from, to } = token;
  const way = open.slice(2).map(({ key }) => key);
  const [first, second, third] = way;
  if (kind === "string" && way.length === 1 && typeof first === "string") {
    draft.spans.set(first, { from, to });
  }
  if (first !== "body") return;
  if (kind === "string" && way.length === 2 && typeof second === "string") {
    draft.bodyTexts.set(second, text.slice(from + 1, to - 1));
  }
  if (kind !== "number" || second !== "range" || way.length !== 4) return;
  const list = third === "start" ? draft.starts : draft.ends;
  list.push(Number(text.slice(from, to)));
}

function nodeOf(draft: Draft, container: OpenJson | undefined): readonly OutlinedNode[] {
  const { spans, bodyTexts, starts, ends } = draft;
  const id = container?.texts.get("id");
  const span = spans.get("label") ?? spans.get("id");
  if (container === undefined || id === undefined || span === undefined) return [];
  const label = container.texts.get("label");
  const [dtype, kernel] = [bodyTexts.get("dtype"), bodyTexts.get("kernel")];
  const isRange = starts.length === ends.length && bodyTexts.has("dtype");
  return [
    {
      id: id.toLowerCase(),
      kind: /[A-Za-z]+$/.exec(container.texts.get("type") ?? "")?.[0] ?? "",
      span,
      ...(label !== undefined && label !== "" && { label }),
      ...(dtype !== undefined && { dtype }),
      ...(kernel !== undefined && { kernel }),
      ...(isRange && { range: starts.map((start, at) => ({ start, stop: ends[at] ?? start })) }),
    },
  ];
}
