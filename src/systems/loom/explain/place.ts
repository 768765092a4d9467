import type { Span } from "#core/diagnostics";
import { type JsonToken, type OpenJson, scanJson } from "#language/tokens";

/** A place of a LoomGraph's JSON: the way to it, and the word that is there. */
export interface LoomPlace {
  readonly offset: number;
  /** Names and positions from the graph on; of a name it is the way to the object around it. */
  readonly way: readonly (string | number)[];
  /** Whether a name of a member is, or would be, here. */
  readonly isName: boolean;
  readonly token?: JsonToken;
  /** Members of the objects on the way that are texts, the innermost last. */
  readonly texts: readonly ReadonlyMap<string, string>[];
  /** Names of the innermost object, also those behind the place. */
  readonly names: readonly string[];
  /** From the bracket of each open container. */
  readonly opens: readonly number[];
}

/** Text behind the place that is read for what else its node says. */
const lookAhead = 20_000;

/** The place of an offset; the word that ends there counts as the one under it. */
export function loomPlace(json: string, offset: number): LoomPlace {
  let found: LoomPlace | undefined;
  const stop = (open: readonly OpenJson[], from: number) => {
    if (found === undefined && from >= offset) found = placeFrom(open, offset, undefined);
    return found !== undefined && (from > offset + lookAhead || open.length < 3);
  };
  scanJson(json, {
    enter: (open) => stop(open.slice(0, -1), open.at(-1)?.from ?? 0),
    leave: (open, to) => stop(open, to - 1),
    end: (open) => {
      found ??= placeFrom(open, offset, undefined);
    },
    token: (token, open) => {
      const isHere = token.from <= offset && offset <= token.to;
      if (found === undefined && isHere && token.to > token.from) {
        found = placeFrom(open, offset, token);
      }
      return stop(open, token.from);
    },
  });
  return found ?? placeFrom([], offset, undefined);
}

// The lists and maps of open containers fill up while the scan goes on behind the place.
function placeFrom(
  open: readonly OpenJson[],
  offset: number,
  token: JsonToken | undefined,
): LoomPlace {
  const last = open.at(-1);
  const isName = last?.kind === "object" && (token?.kind === "name" || last.key === undefined);
  const keys = open.map(({ key }) => key ?? "");
  return {
    offset,
    way: isName ? keys.slice(0, -1) : keys,
    isName,
    ...(token !== undefined && { token }),
    texts: open.map(({ texts }) => texts),
    names: last?.names ?? [],
    opens: open.map(({ from }) => from),
  };
}

/** The span that a completion replaces: the quoted word at the place, or an empty span. */
export function typedSpan({ token, offset }: LoomPlace): Span {
  return token === undefined ? { from: offset, to: offset } : { from: token.from, to: token.to };
}
