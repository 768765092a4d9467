/**
 * Marks the floats among keyword arguments in the text of a request: `"kwargs": {"h": 8.0}` becomes
 * `"kwargs": {"h": {"float": 8.0}}`, for a JSON reader cannot tell 8.0 from 8.
 *
 * Only numbers with a point or an exponent directly inside an object named `kwargs` are marked. A
 * text that is not JSON comes out as some other text that is not JSON.
 */
export function markFloats(json: string): string {
  if (!json.includes('"kwargs"')) return json;
  let inside = false;
  let depth = 0;
  return json.replace(token, (word, opening: string | undefined) => {
    if (!inside) {
      inside = opening !== undefined;
      depth = inside ? 1 : 0;
      return word;
    }
    if (word.endsWith("{") || word === "[") depth++;
    if (word === "}" || word === "]") depth--;
    inside = depth > 0;
    const isFloat = depth === 1 && /^-?\d/.test(word) && /[.eE]/.test(word);
    return isFloat ? `{"float": ${word}}` : word;
  });
}

// The opening of `kwargs`, a text, a number or a bracket, whichever comes first. A text that does not
// end is one too: looking for its end from each of its quotes would take the square of its length.
const token = /("kwargs"\s*:\s*\{)|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?\d[\d.eE+-]*|[{}[\]]/g;
