import { type FormEvent, useState } from "react";
import { hueOf } from "#app/scene";
import type { Hardware } from "#core/cost";
import {
  type MachineFigures as FigureChange,
  fabrics,
  isChanged,
  ownPlatform,
} from "#core/cost/machines";
import type { DeviceMesh, Link } from "#core/mesh";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { TableHead } from "../atoms/TableHead.tsx";
import { useAppStore } from "../store-context.tsx";
import { ChipFields, MoreFigures, NameField } from "./ChipFields.tsx";
import { type FigureBasis, linkBasis, mainFields } from "./figure-fields.ts";
import { fabricText } from "./link-text.ts";
import { changeOf, type Draft, draftOf, type LinkDraft, readDraft } from "./machine-draft.ts";
import type { Machined } from "./use-machined.ts";

interface Props {
  readonly compiled: Machined;
}

/**
 * The figures of a device and of the links along the axes; a change of one is written into the
 * text.
 */
export function MachineFigures({ compiled }: Props) {
  const { hardware } = compiled;
  const { mesh } = compiled.mesh;
  const store = useAppStore();
  const [draft, setDraft] = useState<Draft>(() => draftOf(hardware, mesh));
  const [fault, setFault] = useState<string>();
  const read = readDraft(draft, hardware, mesh);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const write = async (figures: FigureChange) => {
    setFault(await store.getState().gesture({ kind: "set-figures", figures }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof read !== "string") void write(changeOf(read, hardware));
  };
  const reset = () => {
    const own = ownPlatform(hardware);
    setDraft(draftOf(own.hardware, own.link(plainMesh(mesh))));
    void write({ chip: {}, links: {} });
  };
  return (
    <form className="machine-figures" data-testid="machine-figures" onSubmit={submit}>
      <h3>
        Figures <span className="tag">{isChanged(hardware) ? "changed" : "model"}</span>
      </h3>
      <NameField draft={draft} hardware={hardware} onChange={change} />
      <ChipFields fields={mainFields} draft={draft} hardware={hardware} onChange={change} />
      <MoreFigures draft={draft} hardware={hardware} onChange={change} />
      <LinkTable draft={draft} hardware={hardware} mesh={mesh} onChange={change} />
      {typeof read === "string" && <p className="machine-fault">{read}.</p>}
      {fault !== undefined && (
        <p className="machine-fault" role="alert">
          {fault}.
        </p>
      )}
      <div className="planner-buttons">
        <button type="submit" className="btn line" disabled={typeof read === "string"}>
          Write the figures
        </button>
        {hardware.given?.from.machine !== undefined && (
          <button type="button" className="btn line" onClick={reset}>
            Back to the machine’s own
          </button>
        )}
      </div>
      <p className="mut">
        They go into the text: those of a device with a name as <code>hardware=</code> of the mesh,
        else as <code>chip=</code> and <code>links=</code>.
      </p>
    </form>
  );
}

function plainMesh(mesh: DeviceMesh): DeviceMesh {
  return { ...mesh, axes: mesh.axes.map(({ name, size }) => ({ name, size })) };
}

interface LinkTableProps {
  readonly draft: Draft;
  readonly hardware: Hardware;
  readonly mesh: DeviceMesh;
  readonly onChange: (part: Partial<Draft>) => void;
}

function LinkTable({ draft, hardware, mesh, onChange }: LinkTableProps) {
  const replaced = (next: LinkDraft) =>
    draft.links.map((each) => (each.axis === next.axis ? next : each));
  return (
    <table className="tbl">
      <caption className="vh">Links along the axes of {hardware.name}</caption>
      <TableHead names={["axis", "one way, GB/s", "latency, µs", "kind"]} />
      <tbody>
        {draft.links.map((link) => (
          <LinkRow
            key={link.axis}
            link={link}
            basis={linkBasis(link.axis, hardware)}
            mesh={mesh}
            onChange={(next) => onChange({ links: replaced(next) })}
          />
        ))}
      </tbody>
    </table>
  );
}

interface LinkRowProps {
  readonly link: LinkDraft;
  readonly basis: FigureBasis;
  readonly mesh: DeviceMesh;
  readonly onChange: (link: LinkDraft) => void;
}

function LinkRow({ link, basis, mesh, onChange }: LinkRowProps) {
  const { axis, bandwidth, latency, fabric } = link;
  return (
    <tr data-testid={`link-${axis}`} title={`${basis.word}: ${basis.source}`}>
      <td>
        <AxisChip tag={{ text: axis, hue: hueOf(mesh, axis) }} />
        <small className="machine-basis">{basis.word}</small>
      </td>
      <td>
        <input
          className="field"
          inputMode="decimal"
          aria-label={`Bandwidth of ${axis} one way, in GB/s`}
          value={bandwidth}
          onChange={(event) => onChange({ ...link, bandwidth: event.currentTarget.value })}
        />
      </td>
      <td>
        <input
          className="field"
          inputMode="decimal"
          aria-label={`Latency of ${axis}, in µs`}
          value={latency}
          onChange={(event) => onChange({ ...link, latency: event.currentTarget.value })}
        />
      </td>
      <td>
        <select
          className="field"
          aria-label={`Kind of link of ${axis}`}
          value={fabric}
          onChange={(event) =>
            onChange({ ...link, fabric: event.currentTarget.value as LinkDraft["fabric"] })
          }
        >
          {fabric === "" && <option value="">not said</option>}
          {fabric === "two-level" && <option value="two-level">{fabricText(fabric)}</option>}
          {fabrics.map((each: NonNullable<Link["fabric"]>) => (
            <option key={each} value={each}>
              {fabricText(each)}
            </option>
          ))}
        </select>
      </td>
    </tr>
  );
}
