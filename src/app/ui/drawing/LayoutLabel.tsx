import { type LabelSegment, labelIn } from "#app/scene/text";
import type { AppState } from "#app/state";
import type { Layout } from "#core/mesh";
import { useShared } from "../store-context.tsx";
import { keyed } from "./keyed.ts";

export interface LayoutLabelProps {
  readonly layout: Layout;
  readonly dimNames: readonly string[];
  /** Text before the bracket, such as `bf16`. */
  readonly prefix?: string;
}

/** The notation that the settings choose. */
export const chosenNotation = ({ settings }: AppState) => settings.notation;

/** A layout in the notation of the settings, such as `[b@dp, s@(sp,mp), f]{Σ mp}`. */
export function LayoutLabel({ layout, dimNames, prefix }: LayoutLabelProps) {
  const notation = useShared(chosenNotation);
  return <LabelRuns segments={labelIn(notation, layout, dimNames)} prefix={prefix} />;
}

interface RunsProps {
  readonly segments: readonly LabelSegment[];
  readonly prefix?: string | undefined;
}

/** The pieces of a label; the names of axes are in their colours. */
export function LabelRuns({ segments, prefix }: RunsProps) {
  return (
    <span className="lbl">
      {prefix}
      {keyed(segments).map(({ key, item }) =>
        item.kind === "plain" ? (
          item.text
        ) : (
          <b className={`tk a${item.hue}`} key={key}>
            {item.text}
          </b>
        ),
      )}
    </span>
  );
}
