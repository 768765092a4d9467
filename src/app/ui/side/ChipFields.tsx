import type { Hardware } from "#core/cost";
import {
  type FigureField,
  figureBasis,
  hostFields,
  peakFields,
  reachFields,
} from "./figure-fields.ts";
import type { Draft } from "./machine-draft.ts";

interface Props {
  readonly draft: Draft;
  readonly hardware: Hardware;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** The name of the reader's own device. */
export function NameField({ draft, hardware, onChange }: Props) {
  return (
    <label className="machine-name">
      <span>Name, of a device of your own</span>
      <input
        className="field"
        data-testid="figure-name"
        placeholder={hardware.name}
        value={draft.name}
        maxLength={40}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </label>
  );
}

/** The figures of a device, each with its source. */
export function ChipFields({
  fields,
  draft,
  hardware,
  onChange,
}: Props & { readonly fields: readonly FigureField[] }) {
  return (
    <div className="machine-chip">
      {fields.map((field) => {
        const { key, name, unit } = field;
        const basis = figureBasis(field, hardware);
        return (
          <label key={key} title={`${basis.word}: ${basis.source}`}>
            <span>
              {unit === "" ? name : `${name}, ${unit}`}
              <small data-testid={`basis-${key}`}> {basis.word}</small>
            </span>
            <input
              className="field"
              inputMode="decimal"
              data-testid={`figure-${key}`}
              placeholder={placeholderOf(field)}
              value={draft[key] ?? ""}
              onChange={(event) => onChange({ [key]: event.currentTarget.value })}
            />
          </label>
        );
      })}
    </div>
  );
}

function placeholderOf({ kind, isOptional }: FigureField): string {
  if (kind === "percent") return "by size";
  return isOptional ? "not said" : "";
}

/** Figures that are seldom changed, and the sources of all figures. */
export function MoreFigures(props: Props) {
  const { sources } = props.hardware;
  return (
    <details className="machine-more" data-testid="machine-more">
      <summary>Other arithmetic, host, node and efficiencies</summary>
      <h4>Peaks</h4>
      <ChipFields {...props} fields={peakFields} />
      <h4>Host and node</h4>
      <ChipFields {...props} fields={hostFields} />
      <h4>What large kernels reach</h4>
      <ChipFields {...props} fields={reachFields} />
      {sources !== undefined && (
        <>
          <h4>Where they are from</h4>
          <dl className="machine-sources" data-testid="machine-sources">
            {sourceNames.map(([key, name]) => (
              <div key={key}>
                <dt>{name}</dt>
                <dd>{sources[key]}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </details>
  );
}

const sourceNames = [
  ["peaks", "Peaks"],
  ["memory", "Memory"],
  ["within", "Links in a node"],
  ["between", "Links between nodes"],
  ["launch", "Host"],
] as const;
