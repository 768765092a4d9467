/** Whether a default is the name of another size, or a quotient of sizes: `a // b`. */
export function isOfSizes(usual: unknown, names: ReadonlySet<string>): usual is string {
  return typeof usual === "string" && usual.split(" // ").every((each) => names.has(each));
}
