/**
 * Whether names match a target text, in which `*` stands for any run of characters. Each piece
 * between stars is looked for once, at the first place where it can stand: where this fails, no
 * other choice of places would succeed.
 */
export function matcherOf(target: string): (name: string) => boolean {
  if (!target.includes("*")) return (name) => target === name;
  const pieces = target.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  const inner = pieces.slice(1, -1).filter((piece) => piece !== "");
  const least = pieces.reduce((length, piece) => length + piece.length, 0);
  return (name) => {
    if (name.length < least || !name.startsWith(first) || !name.endsWith(last)) return false;
    let from = first.length;
    for (const piece of inner) {
      const at = name.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= name.length - last.length;
  };
}
