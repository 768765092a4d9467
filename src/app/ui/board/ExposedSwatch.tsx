/**
 * Swatch hatched from below by the exposed share (0 to 1): the time in which nothing is computed.
 */
export function ExposedSwatch({ share }: { readonly share: number }) {
  return (
    <span className="bswatch">
      <i style={{ height: `${Math.round(100 * share)}%` }} />
    </span>
  );
}
