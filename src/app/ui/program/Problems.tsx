import { CircleDashed, CircleX, TriangleAlert } from "lucide-react";
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { diagnosticsOf } from "#app/state";
import { type Diagnostic, positionAt } from "#core/diagnostics";
import { Loading } from "../atoms/Loading.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";
import { FixButtons } from "./FixButtons.tsx";
import { helpAddress } from "./help-address.ts";
import { LinkedWords } from "./LinkedWords.tsx";

/** The problems of the text with their places and fixes. */
export function Problems() {
  const diagnostics = useApp(diagnosticsOf);
  const isKnown = useApp((state) => state.compiled.kind !== "compiling");
  const source = useApp((state) => state.document.source);
  const sorted = [...diagnostics].sort((a, b) => rank(a) - rank(b));
  const panel = useRef<HTMLElement>(null);
  const watch = useFocusPassedOn(panel, diagnostics);
  return (
    <section
      ref={panel}
      className="probs"
      data-testid="problems"
      aria-label="Problems"
      tabIndex={-1}
      onFocus={watch}
    >
      <div className="head">
        <h2>Problems</h2>
        <span className="mut" role="status">
          {isKnown ? summaryOf(diagnostics) : <Loading />}
        </span>
        <LinkedWords />
        {diagnostics.length > 0 && <span className="sp kbd">F8</span>}
      </div>
      {sorted.length > 0 && (
        <ul>
          {keyed(sorted).map(({ key, item: diagnostic }) => (
            <Problem key={key} diagnostic={diagnostic} source={source} />
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * A fixed problem disappears together with the pressed button: the focus passes to the next
 * problem, or stays in the panel. Returns the handler for focus events in the panel.
 */
function useFocusPassedOn(panel: RefObject<HTMLElement | null>, diagnostics: unknown) {
  const held = useRef<Element>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other diagnostics take rows away
  useLayoutEffect(() => {
    const { current: last } = held;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (last === undefined || last.isConnected || !isLost) return;
    held.current = undefined;
    const first = (what: string) => panel.current?.querySelector<HTMLElement>(what);
    (first(".fix button") ?? first(".where") ?? panel.current)?.focus({ preventScroll: true });
  }, [panel, diagnostics]);
  return (event: FocusEvent) => {
    held.current = event.target;
  };
}

function Problem({
  diagnostic,
  source,
}: {
  readonly diagnostic: Diagnostic;
  readonly source: string;
}) {
  const reveal = useApp((state) => state.reveal);
  const { span, fixes = [] } = diagnostic;
  const at = span === undefined ? undefined : positionAt(source, span.from);
  return (
    <li className="prob" data-severity={diagnostic.severity} data-code={diagnostic.code}>
      <SeverityIcon severity={diagnostic.severity} />
      <p>
        <span className="vh">{diagnostic.severity}: </span>
        {diagnostic.message}
        {diagnostic.upstream !== undefined && <span className="mut"> ({diagnostic.upstream})</span>}
      </p>
      {span !== undefined && at !== undefined && (
        <button type="button" className="where" onClick={() => reveal(span)}>
          <Spoken sentence={`Go to line ${at.line}, column ${at.column}`}>
            {at.line}:{at.column}
          </Spoken>
        </button>
      )}
      <a className="help" href={helpAddress(diagnostic.code)} target="_blank" rel="noreferrer">
        {diagnostic.code}
        <span className="vh"> explained, in a new tab</span>
      </a>
      <FixButtons fixes={fixes} />
    </li>
  );
}

function SeverityIcon({ severity }: Pick<Diagnostic, "severity">) {
  const look = { size: 15, strokeWidth: 1.75, "aria-hidden": true } as const;
  if (severity === "error") return <CircleX className="ico e" {...look} />;
  if (severity === "warning") return <TriangleAlert className="ico w" {...look} />;
  return <CircleDashed className="ico mut" {...look} />;
}

/** `1 error, 2 warnings`, or a sentence that there is nothing. */
export function summaryOf(diagnostics: readonly Diagnostic[]): string {
  const counts = [
    ["error", "errors"],
    ["warning", "warnings"],
    ["info", "notes"],
  ] as const;
  const words = counts.flatMap(([severity, plural]) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    if (count === 0) return [];
    const singular = severity === "info" ? "note" : severity;
    return [`${count} ${count === 1 ? singular : plural}`];
  });
  return words.length === 0 ? "None" : words.join(", ");
}

function rank({ severity }: Diagnostic): number {
  return { error: 0, warning: 1, info: 2 }[severity];
}
