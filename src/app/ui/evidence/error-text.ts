/** An error as a percentage to two digits: `±8 %`, `±0.4 %`; `unknown` where nothing is priced. */
export function errorText(error: number): string {
  if (Number.isNaN(error)) return "unknown";
  const percent = 100 * error;
  return `±${percent < 1 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}
