/** The patterns that drawings refer to; rendered once per page, above everything that draws. */
export function AxisTextureDefs() {
  return (
    <svg width="0" height="0" aria-hidden="true">
      <defs />
    </svg>
  );
}
