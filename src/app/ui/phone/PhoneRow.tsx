import { useMemo } from "react";
import { rowsOf } from "#app/scene";
import { listLabel } from "#app/scene/board";
import { drawnIn } from "#app/scene/glyph";
import type { ListRow } from "#app/scene/graph";
import { shownWords } from "#app/scene/text";
import { isStale, isWrittenTensor, operatorOf, selectedTensor, tensorView } from "#app/state";
import { wrongDevices } from "#app/state/run";
import { type Compiled, shownLayout, shownState, type TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";
import { Spoken } from "../atoms/Spoken.tsx";
import { StatusMark } from "../atoms/StatusMark.tsx";
import { TensorName } from "../atoms/TensorName.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { LayoutLabel } from "../drawing/LayoutLabel.tsx";
import { IndexSpaceButton } from "../index-space/IndexSpaceButton.tsx";
import { OperationSection } from "../index-space/OperationSection.tsx";
import { DimRow } from "../side/DimRow.tsx";
import { Elsewhere } from "../side/Elsewhere.tsx";
import { namedDims } from "../side/named-dims.ts";
import { States } from "../side/States.tsx";
import { TensorWords } from "../side/TensorWords.tsx";
import { useApp } from "../store-context.tsx";
import { useStatus } from "../use-status.ts";
import { tensorSentence, wrongSentence } from "../words.ts";
import { PhoneBadge } from "./PhoneBadge.tsx";
import { PhoneRun, PhoneStack } from "./PhoneBlocks.tsx";
import { PhoneOperator, rowId } from "./PhoneSteps.tsx";

/** Row of the list: a tensor, with its dims when it is selected, or a redistribution. */
export function PhoneRow({
  row,
  compiled,
}: {
  readonly row: ListRow;
  readonly compiled: Compiled;
}) {
  const { program } = compiled;
  const { graph } = program;
  switch (row.kind) {
    case "heading":
      return <h2 className="grp-h">{row.text}</h2>;
    case "stack":
      return <PhoneStack stack={row.stack} />;
    case "run":
      return <PhoneRun run={row.run} />;
    case "tensor": {
      const tensor = graph.tensors.find(({ id }) => id === row.tensor);
      return tensor ? <TensorRow compiled={compiled} tensor={tensor} /> : null;
    }
    case "operator": {
      const operator = graph.operators.find(({ id }) => id === row.operator);
      // Of an update's results, the parameter: its optimizer states are listed above.
      const made = graph.tensors.filter(
        ({ producer, role }) => producer === row.operator && role !== "state",
      );
      return (
        <div data-testid={`operator-${operator?.name ?? row.operator}`}>
          {made.map((tensor) => (
            <TensorRow key={tensor.id} compiled={compiled} tensor={tensor} />
          ))}
          <PhoneOperator operator={row.operator} />
        </div>
      );
    }
    case "redistribution":
      return <PhoneBadge compiled={compiled} badge={row.badge} indices={[row.redistribution]} />;
  }
}

const glyphSize = { width: 48, height: 40 };

function TensorRow({ compiled, tensor }: { readonly compiled: Compiled; readonly tensor: Tensor }) {
  const isSelected = useApp((state) => selectedTensor(state)?.id === tensor.id);
  const select = useApp((state) => state.select);
  const stale = useApp(isStale);
  const wrong = useApp(wrongDevices).get(tensor.id);
  const view = tensorView(compiled, tensor.id);
  const producer = operatorOf(compiled, tensor);
  const isItsResult = producer?.outputs[0]?.tensor === tensor.id;
  const label = isItsResult ? listLabel(compiled, producer) : undefined;
  const layout = view && shownLayout(view);
  const drawn = useMemo(
    () => layout && drawnIn(compiled, tensor, layout),
    [compiled, layout, tensor],
  );
  const status = useStatus(tensor.id, view?.status ?? "inferred");
  if (view === undefined || drawn === undefined) return null;
  const isFixed = !isWrittenTensor(compiled, tensor.id);
  const told = tensorSentence(tensor, view);
  const sentence = wrong === undefined ? told : `${told} ${wrongSentence(wrong)}`;
  return (
    <>
      <button
        type="button"
        id={rowId(tensor.id)}
        className={`row1 ${isSelected ? "on" : ""}`}
        data-testid={`tensor-${tensor.name}`}
        aria-pressed={isSelected}
        onClick={() => select({ tensor: tensor.id })}
      >
        <Spoken sentence={sentence}>
          <Glyph tensor={drawn} size={glyphSize} wrong={wrong} />
          <span>
            <span className="nm">
              <TensorName name={label ?? tensor.name} />{" "}
              <span>{producer === undefined ? tensor.role : `= ${producer.call}`}</span>
            </span>
            <LayoutLabel layout={drawn.layout} dimNames={tensor.dimNames} />
          </span>
          <span className="by">
            {shownWords(tensor, view).replace(" each", "")}
            <StatusMark status={stale ? "stale" : status} />
          </span>
        </Spoken>
      </button>
      {isSelected && <TensorDetails {...{ tensor, view, isFixed }} layout={drawn.layout} />}
    </>
  );
}

interface TensorDetailsProps {
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly layout: Layout;
  /** Whether the tensor comes with training, so that its layout cannot be edited. */
  readonly isFixed: boolean;
}

/** Selected tensor below its row: its states, dims, and the operator that makes it. */
function TensorDetails({ tensor, view, layout, isFixed }: TensorDetailsProps) {
  return (
    <div className="row1-more">
      <States tensor={tensor} view={view} />
      <div className="dims">
        {namedDims(tensor).map(({ dim }) => (
          <DimRow key={dim} {...{ tensor, dim, isFixed, layout }} isMarked hasSheet />
        ))}
      </div>
      <TensorWords tensor={tensor} view={view} />
      <Elsewhere tensor={tensor} />
      <PinnedPart tensor={tensor} view={view} />
      <IndexSpaceButton />
      <OperationSection />
    </div>
  );
}

/** Part of the pinned device, in words. */
function PinnedPart({ tensor, view }: { readonly tensor: Tensor; readonly view: TensorView }) {
  const device = useApp((state) => state.pinnedDevice);
  if (device === undefined) return null;
  const rows = rowsOf(shownState(view), tensor, undefined, [device]);
  if (rows.length === 0) return null;
  const parts = rows.map(({ ranges }) =>
    namedDims(tensor)
      .map(({ dim, name }) => `${name} ${ranges[dim]?.text ?? ""}`)
      .join(", "),
  );
  return (
    <p className="sent">
      Device {device} holds {parts.join(" and ") || "all of it"}.
    </p>
  );
}
