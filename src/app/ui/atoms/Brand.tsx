/** Logo: a whole, split in two ways. */
export function BrandMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect
        x="1.5"
        y="1.5"
        width="17"
        height="17"
        rx="2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      />
      <path
        d="M10 1.5V18.5M1.5 10H10M10 6.7H18.5M10 13.3H18.5"
        stroke="currentColor"
        strokeWidth="1.6"
      />
    </svg>
  );
}
