/** Whether names match a target text, in which `*` stands for any run of characters. */
export function matcherOf(target: string): (name: string) => boolean {
  if (!target.includes("*")) return (name) => target === name;
  const pieces = target.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${pieces.join(".*")}$`, "u");
  return (name) => pattern.test(name);
}
