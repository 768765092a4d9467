/** Whether what is usual of a size is another one, or whole parts of one by others: `a // b`. */
export function isOfSizes(usual: unknown, names: ReadonlySet<string>): usual is string {
  return typeof usual === "string" && usual.split(" // ").every((each) => names.has(each));
}
