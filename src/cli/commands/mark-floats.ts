/**
 * Marks floats among keyword arguments in a request's text: `"kwargs": {"h": 8.0}` becomes
 * `"kwargs": {"h": {"float": 8.0}}`, since a JSON parser cannot tell 8.0 from 8.
 *
 * Only numbers with a point or exponent directly inside an object named `kwargs` are marked. A text
 * that is not JSON stays a text that is not JSON.
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

// The opening of `kwargs`, a string, a number or a bracket, whichever comes first. An unterminated
// string counts too: searching for its end from each quote would take quadratic time.
const token = /("kwargs"\s*:\s*\{)|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?\d[\d.eE+-]*|[{}[\]]/g;
