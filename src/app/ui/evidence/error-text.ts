/** Error as a percentage of two digits, such as `±8 %` or `±0.4 %`; `unknown` for NaN. */
export function errorText(error: number): string {
  if (Number.isNaN(error)) return "unknown";
  const percent = 100 * error;
  return `±${percent < 1 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}
