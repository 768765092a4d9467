import { useMemo, useRef } from "react";
import { codeOf } from "#app/share";

/** QR code of a link: dark on light in both themes, as scanners expect. */
export function QrCode({ address }: { readonly address: string }) {
  const box = useRef<HTMLElement>(null);
  const { size, path } = useMemo(() => codeOf(address), [address]);
  return (
    <figure className="share-code" ref={box}>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label="The link as a code for cameras"
        data-testid="qr-code"
      >
        <path d={`M0 0H${size}V${size}H0Z`} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <button
        type="button"
        className="btn line"
        onClick={() => void box.current?.requestFullscreen().catch(() => undefined)}
      >
        Fill the screen
      </button>
    </figure>
  );
}
