import { useMemo } from "react";
import { orientationIn } from "#app/scene/glyph";
import { isStale, isWrittenTensor, selectedTensor, shown, tensorView } from "#app/state";
import { type Compiled, shownLayout, shownState, type TensorView } from "#compile";
import { positionAt } from "#core/diagnostics";
import type { Tensor } from "#core/ir";
import { Loading } from "../atoms/Loading.tsx";
import { StatusMark } from "../atoms/StatusMark.tsx";
import { LayoutLabel } from "../drawing/LayoutLabel.tsx";
import { Word } from "../glossary/Word.tsx";
import { AnnotationLine } from "../index-space/AnnotationLine.tsx";
import { IndexSpaceButton } from "../index-space/IndexSpaceButton.tsx";
import { OperationSection } from "../index-space/OperationSection.tsx";
import { useHalosOfInterest } from "../index-space/use-halos.ts";
import { useApp } from "../store-context.tsx";
import { useStatus } from "../use-status.ts";
import { DeviceTable } from "./DeviceTable.tsx";
import { DimRow } from "./DimRow.tsx";
import { Dims } from "./Dims.tsx";
import { Elsewhere } from "./Elsewhere.tsx";
import { namedDims } from "./named-dims.ts";
import { PinButton, WaysButton } from "./PinButton.tsx";
import { States } from "./States.tsx";
import { SumRow } from "./SumRow.tsx";
import { TensorViews } from "./TensorViews.tsx";
import { TensorWords } from "./TensorWords.tsx";

/** The selected tensor: its dims as targets, both drawings, one sentence, and every device. */
export function Inspector({ hasSheet }: { readonly hasSheet: boolean }) {
  const compiled = useApp(shown);
  const tensor = useApp(selectedTensor);
  const view = compiled && tensor ? tensorView(compiled, tensor.id) : undefined;
  if (compiled === undefined || tensor === undefined || view === undefined) {
    const none = "No tensor yet. Write one, such as x = Tensor((512, 1024)).";
    return (
      <section className="insp" aria-label="Tensor">
        <p className="sent mut">{compiled === undefined ? <Loading /> : none}</p>
      </section>
    );
  }
  return <Inspected compiled={compiled} tensor={tensor} view={view} hasSheet={hasSheet} />;
}

interface InspectedProps {
  readonly compiled: Compiled;
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly hasSheet: boolean;
}

function Inspected({ compiled, tensor, view, hasSheet }: InspectedProps) {
  const unverified = view.unverified?.rule;
  const layout = shownLayout(view);
  const halos = useHalosOfInterest(tensor.id, layout, view.shown);
  return (
    <section className="insp" aria-label={`Tensor ${tensor.name}`}>
      <InspectorHead compiled={compiled} tensor={tensor} />
      <div className="insp-body">
        <States tensor={tensor} view={view} />
        <Dims>
          {namedDims(tensor).map(({ dim }) => (
            <DimRow
              key={dim}
              tensor={tensor}
              layout={layout}
              dim={dim}
              isMarked
              hasSheet={hasSheet}
              isFixed={!isWrittenTensor(compiled, tensor.id)}
            />
          ))}
          <SumRow tensor={tensor} layout={layout} isFixed={!isWrittenTensor(compiled, tensor.id)} />
        </Dims>
        <TensorViews
          tensor={tensor}
          layout={layout}
          orientation={orientationIn(compiled, tensor)}
          unverified={unverified}
          halos={halos}
        />
        <TensorWords tensor={tensor} view={view} halos={halos} />
        <Elsewhere tensor={tensor} />
        <AnnotationLine />
        <IndexSpaceButton />
        <OperationSection />
        <DeviceTable
          tensor={tensor}
          layout={layout}
          held={shownState(view).held}
          unverified={unverified}
          halos={halos}
        />
      </div>
    </section>
  );
}

function InspectorHead({
  compiled,
  tensor,
}: {
  readonly compiled: Compiled;
  readonly tensor: Tensor;
}) {
  const reveal = useApp((state) => state.reveal);
  const stale = useApp(isStale);
  const view = tensorView(compiled, tensor.id);
  const status = useStatus(tensor.id, view?.status ?? "inferred");
  const span = view?.span ?? tensor.span;
  const line = useMemo(
    () => (span === undefined ? undefined : positionAt(compiled.source, span.from).line),
    [compiled.source, span],
  );
  if (view === undefined) return null;
  const maker = compiled.graph.operators.find(({ id }) => id === tensor.producer);
  return (
    <div className="head">
      <h2 title={tensor.name}>{tensor.name}</h2>
      <LayoutLabel
        layout={shownLayout(view)}
        dimNames={tensor.dimNames}
        prefix={tensor.dtypeText}
      />
      <span className="sp">
        <Word term={stale ? "stale" : status}>
          <StatusMark status={stale ? "stale" : status} />
        </Word>
      </span>
      {span !== undefined && !stale && (
        <button type="button" className="lk line-link" onClick={() => reveal(span)}>
          line {line}
        </button>
      )}
      {maker !== undefined && <WaysButton name={maker.name} />}
      {isWrittenTensor(compiled, tensor.id) && <PinButton tensor={tensor} />}
    </div>
  );
}
