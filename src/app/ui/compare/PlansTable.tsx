import { ArrowLeftRight, PinOff } from "lucide-react";
import { formatBytes, formatBytesDelta, formatSeconds, formatSecondsDelta } from "#app/scene/text";
import type { Baseline } from "#app/state";
import type { Compiled } from "#compile";
import { IconButton } from "../atoms/IconButton.tsx";
import { TableHead } from "../atoms/TableHead.tsx";
import { Asked } from "../lesson/asked.tsx";
import { useScreen } from "../screen.ts";
import { useApp } from "../store-context.tsx";
import { letterOf } from "./letters.ts";

interface Props {
  readonly compiled: Compiled;
}

const whatToDo = "what to do with it";

/** Pinned plans and the present one with their numbers; differences are relative to one of them. */
export function PlansTable({ compiled }: Props) {
  const baselines = useApp((state) => state.baselines);
  const isNarrow = useScreen() === "phone";
  if (baselines.length === 0) return null;
  return (
    <table className="tbl plans" data-testid="plans">
      <TableHead
        names={["plan", "memory", "comm", "time", ...(isNarrow ? [] : [whatToDo])]}
        figuresFrom={1}
        hides={whatToDo}
      />
      <tbody>
        {baselines.map((baseline, at) => (
          <BaselineRow
            key={baseline.compiled.source}
            baseline={baseline}
            letter={letterOf(at)}
            isNarrow={isNarrow}
          />
        ))}
        <PresentRow compiled={compiled} isNarrow={isNarrow} />
      </tbody>
    </table>
  );
}

interface BaselineProps {
  readonly baseline: Baseline;
  readonly letter: string;
}

interface BaselineRowProps extends BaselineProps {
  /** Whether the name has a line of its own, on narrow screens. */
  readonly isNarrow: boolean;
}

/** Pinned plan with its numbers; a press on its name makes it the one that changes count from. */
function BaselineRow({ baseline, letter, isNarrow }: BaselineRowProps) {
  const isCounted = useApp((state) => state.baseline === baseline);
  const countFrom = useApp((state) => state.countFrom);
  const name = (
    <button
      type="button"
      className="part"
      aria-pressed={isCounted}
      title={`Count changes from ${baseline.name}`}
      onClick={() => countFrom(baseline)}
    >
      <b className="mono">{letter}</b> {baseline.name}
      {isCounted && <span className="vh">, changes count from it</span>}
    </button>
  );
  const tools = <BaselineTools baseline={baseline} letter={letter} />;
  const tone = isCounted ? "on" : undefined;
  if (isNarrow) {
    return (
      <>
        <tr className={tone}>
          <td colSpan={3}>{name}</td>
          {tools}
        </tr>
        <tr className={tone}>
          <td />
          <Numbers compiled={baseline.compiled} />
        </tr>
      </>
    );
  }
  return (
    <tr className={tone}>
      <td title={baseline.name}>{name}</td>
      <Numbers compiled={baseline.compiled} />
      {tools}
    </tr>
  );
}

/** Cell with buttons that swap a pinned plan with the present one, or unpin it. */
function BaselineTools({ baseline, letter }: BaselineProps) {
  const swap = useApp((state) => state.swapBaseline);
  const unpin = useApp((state) => state.unpinBaseline);
  return (
    <td className="plan-tools">
      <IconButton
        icon={ArrowLeftRight}
        size={14}
        name={`Swap with ${letter}`}
        onClick={() => swap(baseline)}
      />
      <IconButton
        icon={PinOff}
        size={14}
        name={`Unpin ${letter}`}
        onClick={() => unpin(baseline)}
      />
    </td>
  );
}

function PresentRow({ compiled, isNarrow }: Props & { readonly isNarrow: boolean }) {
  const before = useApp((state) => state.baseline?.compiled);
  if (before === undefined) return null;
  const { memory, cost } = compiled;
  return (
    <>
      <tr>
        <td>now</td>
        <Numbers compiled={compiled} />
        {!isNarrow && <td />}
      </tr>
      <tr className="mut">
        <td>Δ</td>
        <td className="n">{formatBytesDelta(memory.peakBytes - before.memory.peakBytes)}</td>
        <td className="n">
          <Asked of="comm">{formatBytesDelta(cost.bytes - before.cost.bytes)}</Asked>
        </td>
        <td className="n">{formatSecondsDelta(cost.seconds - before.cost.seconds)}</td>
        {!isNarrow && <td />}
      </tr>
    </>
  );
}

function Numbers({ compiled: { memory, cost } }: Props) {
  return (
    <>
      <td className="n">{formatBytes(memory.peakBytes)}</td>
      <td className="n">
        <Asked of="comm">{formatBytes(cost.bytes)}</Asked>
      </td>
      <td className="n">{formatSeconds(cost.seconds)}</td>
    </>
  );
}
