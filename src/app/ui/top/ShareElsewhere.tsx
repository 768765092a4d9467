import { lazy, Suspense, useState } from "react";
import { embeddedLink, inMode } from "#app/embedding";
import { useApp } from "../store-context.tsx";

const QrCode = lazy(async () => ({ default: (await import("./QrCode.tsx")).QrCode }));

/** The most characters of an address whose code a camera can read from across a hall. */
const mostInCode = 2_000;

/** Other ways to show the plan: inside another page, as a talk, and as a code for cameras. */
export function ShareElsewhere({ address }: { readonly address: string }) {
  const present = useApp((state) => state.present);
  const stations = useApp((state) => state.stations.length);
  return (
    <>
      <details className="share-frame">
        <summary>Show it inside another page</summary>
        <Field label="Frame for another page" testId="share-frame" value={frameOf(address)} />
        <Field
          label="Frame in which it can be tried"
          testId="share-try"
          value={frameOf(inMode(address, "try"))}
        />
        <p className="mut">Readers can change the second frame; no change is kept.</p>
      </details>
      <details className="share-frame">
        <summary>Present it</summary>
        <Field
          label="Link that opens as a talk"
          testId="share-present"
          value={inMode(address, "present")}
        />
        <p className="mut">
          {stations > 0 ? `It carries ${stations} stations. ` : ""}Arrow keys go over steps and
          hops, B blanks, Escape leaves.{" "}
          <button type="button" className="lk" onClick={() => present(true)}>
            Present now
          </button>
        </p>
      </details>
      <CodeForCameras address={address} />
    </>
  );
}

function CodeForCameras({ address }: { readonly address: string }) {
  const [isOpen, open] = useState(false);
  const isLong = address.length > mostInCode;
  return (
    <details className="share-frame" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>Code for cameras</summary>
      {isLong && (
        <p>
          The link has more than {mostInCode} characters: as a code it would be too fine to be read
          from a screen.
        </p>
      )}
      {isOpen && !isLong && (
        <Suspense fallback={<p className="mut">Drawing the code…</p>}>
          <QrCode address={address} />
        </Suspense>
      )}
    </details>
  );
}

function frameOf(address: string): string {
  const source = (address.includes("&m=") ? address : embeddedLink(address)).replaceAll(
    "&",
    "&amp;",
  );
  return `<iframe src="${source}" width="640" height="400" title="Plan"></iframe>`;
}

interface FieldProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
}

function Field({ label, testId, value }: FieldProps) {
  return (
    <input
      readOnly
      data-testid={testId}
      aria-label={label}
      title={label}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}
