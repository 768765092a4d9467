import { memo, useState } from "react";
import { diagnosticsOf } from "#app/state";
import { Loading } from "../atoms/Loading.tsx";
import { StatusMark } from "../atoms/StatusMark.tsx";
import { Word } from "../glossary/Word.tsx";
import { useApp } from "../store-context.tsx";
import { AxisLine } from "./AxisLine.tsx";
import { DeviceGrid } from "./DeviceGrid.tsx";
import { countText } from "./device-pages.ts";
import { MachineMenu } from "./MachineMenu.tsx";
import { MeshChips } from "./MeshChips.tsx";
import { innermostAxis } from "./mesh-groups.ts";
import { PinsLine } from "./PinsLine.tsx";
import { type Machined, useMachined } from "./use-machined.ts";

/**
 * The mesh: its axes as chips, its machine, its devices, and the blocks that two pinned devices
 * share.
 */
export function MeshPanel() {
  const compiled = useMachined();
  return (
    <section className="meshpan" aria-label="Mesh">
      {compiled === undefined ? (
        <div className="head">
          <h2>Mesh</h2>
          <Loading />
        </div>
      ) : (
        <MeshBody compiled={compiled} />
      )}
    </section>
  );
}

const MeshBody = memo(function MeshBody({ compiled }: { readonly compiled: Machined }) {
  const { mesh, status } = compiled.mesh;
  const [chosen, choose] = useState<string>();
  const inHand = mesh.axes.find(({ name }) => name === chosen)?.name ?? innermostAxis(mesh);
  const count = mesh.devices.length;
  return (
    <>
      <div className="head">
        <h2>
          <Word term="mesh">Mesh</Word>
        </h2>
        <span className="mut" data-testid="mesh-count">
          {countText(count)} {count === 1 ? "device" : "devices"}
        </span>
        {status === "assumed" && (
          <Word term="assumed">
            <StatusMark status="assumed" />
          </Word>
        )}
        <MachineMenu compiled={compiled} />
      </div>
      <MeshChips mesh={mesh} onChosen={choose} />
      <Uneven />
      <DeviceGrid mesh={mesh} hardware={compiled.hardware} />
      {inHand !== undefined && <AxisLine compiled={compiled} axis={inHand} onRenamed={choose} />}
      <PinsLine mesh={mesh} />
    </>
  );
});

/** The dims that the sizes of the axes do not divide. */
function Uneven() {
  const uneven = useApp(diagnosticsOf).filter(({ code }) => code === "plan/uneven-split");
  const reveal = useApp((state) => state.reveal);
  const [first] = uneven;
  if (first === undefined) return null;
  const { span } = first;
  return (
    <p className="meshwarn">
      {first.message}
      {uneven.length > 1 && `, and ${uneven.length - 1} more`}.{" "}
      {span !== undefined && (
        <button type="button" className="lk" onClick={() => reveal(span)}>
          Show it
        </button>
      )}
    </p>
  );
}
